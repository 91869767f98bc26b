import { buildSchema } from 'graphql'
import { z } from 'zod'
import { readContract } from '../../../src/server/graphql/local-schema.ts'
import type { TestApp } from '../app.ts'
import { waitFor } from '../wait-for.ts'
import { createWidgetDesk, site } from '../widget-desk.ts'
import { credentialAttempts, webhookAttempts, widgetAttempts } from './own-attempts.ts'
import { type Attempt, graphqlAttempts, platformAttempts, restAttempts } from './requests.ts'
import { plantVictim, type Victim } from './victim.ts'
import { watchStreams } from './watch-streams.ts'

export type Crossings = {
  readonly tries: number
  readonly operations: number
  /** How many answers had each status, or code of an error of GraphQL. */
  readonly statuses: Readonly<Record<string, number>>
  /** The operations whose every answer was a refusal of the token or of the form of the request: no id was read. */
  readonly unreached: readonly string[]
  /** What came out of the other workspace, with the operation. */
  readonly leaks: readonly string[]
  /** The views of the other workspace that are not as before. */
  readonly changes: readonly string[]
  /** In how many answers to the victim's own manager the same search finds something. */
  readonly seenFromInside: number
}

const members = ['manager@demo.example', 'agent1@demo.example'] as const

/**
 * A manager and an agent of `demo` try every REST operation (the widget's with a key of `demo`), every root field and the platform's records with
 * ids, names and headers of `acme`, webhooks about its calls, and their own credentials in its name; with `alternately`, each try is made by one of them. An answer or stream must hold no id of `acme` that the request did not send, and no
 * secret; and `acme` must be the same afterwards.
 */
export async function tryCrossings(options: {
  readonly rounds: number
  readonly seed: number
  readonly alternately?: boolean
}): Promise<Crossings> {
  const { rounds, alternately = false } = options
  await using desk = await createWidgetDesk({ receivesWebhooks: true, environment: { TRUST_PROXY: 'loopback' } })
  const { app } = desk
  const victim = await plantVictim(app)
  const { body: description } = await app.rest('GET', '/openapi.json')
  const attempts = [
    ...widgetAttempts(victim),
    ...restAttempts(description, victim, options),
    ...graphqlAttempts(buildSchema(readContract()), victim, options),
    ...platformAttempts(victim, { ...options, rounds: Math.ceil(rounds / 2) }),
  ]
    .map((attempt, index) => asVisitor(attempt, desk.key, index))
    .toSorted((left, right) => rankOf(left) - rankOf(right))
  const seenFromInside = await countSeen(app, attempts, victim)
  const own = await ownAttempts(app, desk.token, victim)
  // Only now: exports by the victim's own manager are in its audit.
  const before = await victim.snapshot()
  const attackers = members.map((name) => createAttacker(app, name, victim))
  for (const [index, attempt] of [...attempts, ...own].entries()) {
    for (const attacker of alternately ? attackers.slice(index % 2, (index % 2) + 1) : attackers) await attacker.try(attempt)
  }
  await waitFor(() => app.standIns.platform.records('demo', 'call', { ucid: { eq: victim.named.ucid[0] } }).length > 0)
  const after = await victim.snapshot()
  const tokens = { attackers: await Promise.all(attackers.map((attacker) => attacker.token())), victim: victim.token }
  const streamed = await watchStreams(app, tokens)
  const stream = { ...nothing, operation: 'streams' }
  const answers = attackers.flatMap((attacker) => attacker.answers)
  const operations = [...new Set(answers.map(({ operation }) => operation))]
  return {
    tries: answers.length,
    operations: operations.length,
    statuses: Object.fromEntries(
      [...new Set(answers.map(({ status }) => status))]
        .toSorted()
        .map((each) => [each, answers.filter(({ status }) => status === each).length]),
    ),
    unreached: operations.filter((each) => answers.every(({ operation, status }) => operation !== each || unread.has(status))),
    leaks: [...attackers.flatMap((attacker) => attacker.leaks), ...leaksIn(streamed, stream, victim)],
    changes: Object.keys(before).flatMap((view) => changeOf(view, before[view] ?? '', after[view] ?? '')),
    seenFromInside,
  }
}

/** The view and the first place at which it is another one. */
function changeOf(view: string, before: string, after: string): readonly string[] {
  if (before === after) return []
  const at = Array.from(after).findIndex((character, index) => character !== before[index])
  return [`${view}: ${before.slice(Math.max(0, at - 120), at + 120)} -> ${after.slice(Math.max(0, at - 120), at + 120)}`]
}

const unread: ReadonlySet<string> = new Set([
  '400',
  'BAD_USER_INPUT',
  'GRAPHQL_VALIDATION_FAILED',
  '401',
  'UNAUTHENTICATED',
  '429',
  '503',
  'UPSTREAM_UNAVAILABLE',
])

/** The widget's operations need the own key and its site. Each visitor has an address, because addresses have limits. */
function asVisitor(attempt: Attempt, key: string, index: number): Attempt {
  if (!attempt.path.startsWith('/api/widget/')) return attempt
  const visitor = { origin: site, 'x-widget-key': key, 'x-forwarded-for': `198.51.${index >> 8}.${index & 255}` }
  return { ...attempt, headers: { ...attempt.headers, ...visitor } }
}

/** The widget's come first, because others switch it off; last come those that end the own session or the own configuration. */
function rankOf({ operation, path }: Attempt): number {
  // Reading first: an own conversation may have the other's ids afterwards, because the visitor chooses them.
  if (path.startsWith('/api/widget/')) return operation.includes('GET ') ? 0 : 1
  return /logout|reset|restore/i.test(operation) ? 3 : 2
}

/** With what the attackers have themselves: credentials and the address of webhooks. */
async function ownAttempts(app: TestApp, token: string, victim: Victim): Promise<readonly Attempt[]> {
  const { body } = await app.rest('POST', '/api/calls/callback-keys', { token, body: { provider: 'ozonetel' } })
  const { path } = z.looseObject({ path: z.string() }).parse(body)
  return [...webhookAttempts(path, victim.named.ucid[0]), ...(await credentialAttempts(app, 'agent3@demo.example'))]
}

/** In how many answers the same search finds something if the victim's own manager reads: a search that finds nothing there is blind. */
async function countSeen(app: TestApp, attempts: readonly Attempt[], victim: Victim): Promise<number> {
  const reading = attempts.filter(({ operation }) => /^(GET|query|subscription) /.test(operation))
  const answers = await Promise.all(reading.map((attempt) => send(app, attempt, victim.token)))
  return answers.filter(({ text }, index) => leaksIn(text, reading[index] ?? nothing, victim).length > 0).length
}

const nothing: Attempt = { operation: '', method: '', path: '', headers: {}, body: null }

type Tried = { readonly operation: string; readonly status: string }

function createAttacker(app: TestApp, name: string, victim: Victim) {
  const answers: Tried[] = []
  const leaks: string[] = []
  let current: string | null = null
  const token = async (): Promise<string> => (current ??= (await app.signIn(name)).token)
  const once = async (attempt: Attempt): Promise<string> => {
    const { status, text } = await send(app, attempt, await token())
    leaks.push(...leaksIn(text, attempt, victim))
    return status === 200 ? (/"code":"([A-Z_]+)"/.exec(text)?.[1] ?? '200') : String(status)
  }
  return {
    answers,
    leaks,
    token,
    async try(attempt: Attempt): Promise<void> {
      const status = await once(attempt)
      const isDead =
        (status === '401' || status === 'UNAUTHENTICATED') && (await app.rest('GET', '/auth/me', { token: await token() })).status === 401
      if (isDead) {
        // Something that it did ended its own token or session. With a dead token it has tried nothing.
        await app.rest('POST', '/auth/logout', { token: await token(), body: {} })
        current = null
      }
      answers.push({ operation: attempt.operation, status: isDead ? await once(attempt) : status })
    },
  }
}

async function send(app: TestApp, { method, path, headers, body }: Attempt, token: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(app.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  })
  const isEndless = headers['accept'] === 'text/event-stream'
  return { status: answer.status, text: `${JSON.stringify([...answer.headers])}${await (isEndless ? beginningOf(answer) : answer.text())}` }
}

/** What a stream brings in its first second. */
async function beginningOf(answer: Response): Promise<string> {
  const ending = AbortSignal.timeout(1_000)
  const decoder = new TextDecoder()
  let text = ''
  const taking = answer.body?.pipeTo(new WritableStream({ write: (chunk) => void (text += decoder.decode(chunk, { stream: true })) }), {
    signal: ending,
  })
  await taking?.catch(() => undefined)
  return text
}

function leaksIn(text: string, attempt: Attempt, { uuids, secrets }: Victim): readonly string[] {
  const sent = `${decodeURIComponent(attempt.path)}${JSON.stringify(attempt.headers)}${JSON.stringify(attempt.body)}`
  // A token names its workspace.
  const claims = Array.from(text.matchAll(/eyJ[\w-]+\.([\w-]+)\./g), ([, part = '']) => Buffer.from(part, 'base64url').toString())
  const shown = text + claims.join('')
  return [...secrets, ...uuids].filter((one) => shown.includes(one) && !sent.includes(one)).map((one) => `${attempt.operation}: ${one}`)
}
