import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { wrongCalls } from '../calls/records.ts'
import { createChance, type ExpectedCall, playCall, type Posting } from '../calls/traffic.ts'
import { type Client, inFlight, tokensOf } from '../stage/client.ts'
import type { ServiceProcess, Stage } from '../stage/stage.ts'

export const disposition = 'Information Given'

/** A service that gets calls, and agents who give their outcomes. */
export type Telephony = {
  readonly stage: Stage
  readonly client: Client
  readonly doomed: ServiceProcess
  /** Where a webhook is sent. */
  readonly path: string
  readonly agents: readonly { readonly id: string; readonly token: string }[]
}

export async function signPeopleIn(client: Client, url: string): Promise<Pick<Telephony, 'agents' | 'path'>> {
  const ids = ['agent1', 'agent2', 'agent3']
  const agents = await inFlight(ids.length, 1, async (index) => {
    const id = ids[index] ?? ''
    return { id, token: tokensOf(await client.logIn(url, id)).accessToken }
  })
  return { path: await webhookPath(client, url), agents }
}

/** A call with all its webhooks, and for every third one an agent's disposition. Null unless all of it was acknowledged. */
export async function playAcknowledged(scene: Telephony, index: number): Promise<ExpectedCall | null> {
  const { client, doomed, path, agents, stage } = scene
  const beganAt = Math.floor(Date.now() / 1_000) * 1_000 - 600_000
  const agent = index % 3 === 0 ? agents[(index / 3) % agents.length] : undefined
  const played =
    agent &&
    z
      .object({ ucid: z.string() })
      .parse(await stage.command('telephony', 'inboundCall', { from: `+9198${String(70_000_000 + index)}`, agentId: agent.id }))
  const options = { beganAt, disposed: false, ...(played && { ucid: played.ucid, agentId: agent.id }) }
  const { postings, expected } = playCall(1_000_000 + index, agent ? () => 0.5 : createChance(index), options)
  for (const posting of postings) if (!(await isAccepted(doomed.url + path, posting))) return null
  if (!agent) return expected
  const headers = { authorization: `Bearer ${agent.token}` }
  const { status } = await client.send(`${doomed.url}/api/calls/${expected.ucid}/disposition`, { headers, body: { disposition } })
  return status === 200 ? { ...expected, disposition } : null
}

async function isAccepted(address: string, { contentType, body }: Posting): Promise<boolean> {
  const send = fetch(address, { method: 'POST', headers: { 'content-type': contentType }, body })
  return send.then(
    ({ ok }) => ok,
    () => false,
  )
}

async function webhookPath(client: Client, url: string): Promise<string> {
  const { accessToken } = tokensOf(await client.logIn(url, 'manager'))
  const options = { headers: { authorization: `Bearer ${accessToken}` }, body: { provider: 'ozonetel' } }
  return z.object({ path: z.string() }).parse((await client.send(`${url}/api/calls/callback-keys`, options)).body).path
}

const rowsSchema = z.array(z.record(z.string(), z.unknown()))

/** Resolves to the number of calls that are still missing or wrong. */
export async function untilWritten(stage: Stage, expected: readonly ExpectedCall[], giveUpAt: number): Promise<number> {
  for (;;) {
    const read = async (object: string) => rowsSchema.parse(await stage.command('platform', 'records', { workspace: 'demo', object }))
    const rows = { agent: await read('agent'), call: await read('call') }
    const wrong = wrongCalls({ records: (_, object) => (object === 'agent' ? rows.agent : rows.call) }, expected)
    if (wrong.length === 0 || performance.now() > giveUpAt) return wrong.length
    await pause(250)
  }
}
