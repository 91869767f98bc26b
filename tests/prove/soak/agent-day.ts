import { setTimeout as pause } from 'node:timers/promises'
import { createClient as createSocketClient } from 'graphql-ws'
import { z } from 'zod'
import { createChance, playCall } from '../calls/traffic.ts'
import { type Answer, type Client, tokensOf } from '../stage/client.ts'

const leads = '{ leads(first: 20) { edges { node { id name { firstName lastName } phones { primaryPhoneNumber } } } } }'
const mixed = '{ me { agent { id } } leads(first: 5) { edges { node { id } } } }'
const stitched = '{ calls(first: 20) { edges { node { id analysis { summary duration } } } } }'
const unknownField = '{ leads(first: "x") { edges { node { nothing } } } }'
const subscription = 'subscription { agentStates { agentId state } }'
const phoneNumbers = ['+919876543210', '9845012345', '9900112233', '080 2345 6789']

export type Work = {
  readonly url: string
  readonly client: Client
  readonly webhookPath: string
  /** `isRight`: it is the answer that this step must get. Status 0: the connection broke. */
  readonly note: (step: string, status: number, isRight: boolean) => void
  /** Between two steps of an agent. */
  readonly pauseMs: () => number
}

/** What an agent does in a few minutes: sign in, work, sign out. `number`: which agent; `round`: how often it has been done before. */
export async function agentRound(
  work: Work,
  { number, round, signal }: { number: number; round: number; signal: AbortSignal },
): Promise<void> {
  const { url, client, note } = work
  const signIn = await client.logIn(url, `load${number}`)
  note('sign in', signIn.status, signIn.status === 200)
  if (signIn.status !== 200) return pause(work.pauseMs(), undefined, { signal }).catch(() => {})
  const headers = { authorization: `Bearer ${tokensOf(signIn).accessToken}` }
  const chance = createChance(number * 1_000 + round)
  const send = (path: string, body: unknown): Promise<Answer> => client.send(url + path, { headers, body })
  const post = async (path: string, body: unknown, expected = 200): Promise<void> => {
    const { status } = await send(path, body)
    note(`${path} ${expected}`, status, status === expected)
  }
  const ask = async (query: string, isRight = isWhole): Promise<void> => {
    const answer = await send('/graphql', { query })
    note(query, answer.status, isRight(answer))
  }
  const steps: readonly (() => Promise<void>)[] = [
    () => ask(leads),
    () => ask(mixed),
    () => ask(stitched),
    () => ask(unknownField, isRefused),
    () => post('/auth/heartbeat', {}),
    () => post('/api/calls/lookup', { phoneNumber: phoneNumbers[Math.floor(chance() * phoneNumbers.length)] }),
    () => post('/api/calls/lookup', { phoneNumber: 'nobody' }, 400),
    async () => {
      const { status } = await client.send(`${url}/api/calls/worklist`, { method: 'GET', headers })
      note('worklist', status, status === 200)
    },
    () => playWebhooks(work, { number, index: round * 100 + Math.floor(chance() * 100), chance }),
    () => watched('event stream', watchEvents(url, headers), note),
    () => watched('web socket', watchSocket(url, headers.authorization), note),
  ]
  for (let step = 0; step < 60 && !signal.aborted; step += 1) {
    await steps[Math.floor(chance() * steps.length)]?.()
    await pause(work.pauseMs())
  }
  await post('/auth/logout', {})
}

const answerSchema = z.object({ data: z.unknown().optional(), errors: z.array(z.unknown()).default([]) }).catch({ errors: [] })

function isWhole({ status, body }: Answer): boolean {
  const { data, errors } = answerSchema.parse(body)
  return status === 200 && Boolean(data) && errors.length === 0
}

function isRefused({ status, body }: Answer): boolean {
  return status < 500 && answerSchema.parse(body).errors.length > 0
}

function watched(step: string, watching: Promise<void>, note: Work['note']): Promise<void> {
  return watching.then(
    () => note(step, 200, true),
    () => note(step, 0, false),
  )
}

async function playWebhooks(
  { url, webhookPath, note }: Work,
  { number, index, chance }: { number: number; index: number; chance: () => number },
): Promise<void> {
  const beganAt = Math.floor(Date.now() / 1_000) * 1_000 - 400_000
  const ucid = `4${String(beganAt).slice(0, 9)}${String(number * 10_000 + (index % 10_000)).padStart(7, '0')}`
  for (const { contentType, body } of playCall(index, chance, { ucid, beganAt, agentId: `load${number}` }).postings) {
    const response = await fetch(url + webhookPath, { method: 'POST', headers: { 'content-type': contentType }, body })
    await response.arrayBuffer()
    note('webhook', response.status, response.status === 200)
  }
}

/** Opens an event stream, reads its first piece, and leaves. */
async function watchEvents(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const leaving = new AbortController()
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: subscription }),
    signal: leaving.signal,
  })
  const first = await response.body?.getReader().read()
  leaving.abort()
  if (!response.ok || !first?.value) throw new Error(`The stream did not begin: ${response.status}`)
}

/** Opens a WebSocket, runs an operation on it, and closes it. */
async function watchSocket(url: string, authorization: string): Promise<void> {
  const socket = createSocketClient({ url: `${url.replace('http', 'ws')}/graphql`, connectionParams: { authorization }, retryAttempts: 0 })
  try {
    for await (const result of socket.iterate({ query: mixed })) z.object({ errors: z.undefined().optional() }).parse(result)
  } finally {
    await socket.dispose()
  }
}
