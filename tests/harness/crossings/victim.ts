import { z } from 'zod'
import { systemClock } from '../../../src/kernel/clock.ts'
import { createSqliteOutbox } from '../../../src/providers/broker/sqlite-outbox.ts'
import { type SandboxWorkspace, telephonyAccounts } from '../../../src/sandbox/accounts.ts'
import type { TestApp } from '../app.ts'
import { recordedCalls } from '../recordings.ts'
import { waitFor } from '../wait-for.ts'
import { type Visit, visitorOf } from '../widget-desk.ts'

/** A workspace with something of everything in it, and what gives it away. */
export type Victim = {
  /** Ids and names that an attacker may know. An answer to a request that does not send one must not have it. */
  readonly uuids: readonly string[]
  readonly texts: readonly string[]
  /** Those that fit a parameter, by its name: an id that is one of hundreds would hardly ever be one of a recorded call. */
  readonly named: Named
  /** What a visitor of its site has begun: a conversation, and a held slot. */
  readonly visit: PlantedVisit
  /** What nobody outside may ever see. */
  readonly secrets: readonly string[]
  /** Of its manager, who sees everything of it. */
  readonly token: string
  /** All that can be seen of it from inside, as JSON by name. */
  snapshot(): Promise<Readonly<Record<string, string>>>
}

type Names = readonly [string, ...string[]]
type Named = Readonly<Record<string, Names>> & { readonly ucid: Names }
type PlantedVisit = { readonly conversationId: string; readonly bookingId: string; readonly slotId: string }

const objects = ['agent', 'lead', 'call', 'doctor', 'visitSlot', 'workspaceMember', 'note', 'task', 'noteTarget', 'taskTarget'] as const
const workspace = 'acme'
const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

const createdSchema = z.object({ member: z.object({ id: z.string() }) })
const passwordSchema = z.looseObject({ password: z.string() })
const keySchema = z.looseObject({ key: z.string() })
const pathSchema = z.looseObject({ path: z.string() })

/** Fills the workspace `acme`: records, sessions, configuration with its history, a dead letter, an analysis, a visitor, keys and a temporary password. */
export async function plantVictim(app: TestApp): Promise<Victim> {
  const marker = `marker-${crypto.randomUUID().slice(0, 8)}`
  const manager = await app.signIn(`manager@${workspace}.example`)
  const agent = await app.signIn(`agent1@${workspace}.example`)
  const rest = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await app.rest(method, path, { token: manager.token, body })
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  await plantConfiguration(rest, marker)
  await plantRecords(app, manager.token, marker)
  const ucid = await plantCall(app, agent.token, marker)
  const [recorded] = await recordedCalls(app, manager.token)
  await rest('POST', '/api/recordings/analyze', { callId: recorded?.ucid })
  await plantDeadLetter(app, marker)
  const { key: widgetKey } = keySchema.parse(await rest('POST', '/api/config/widget/keys', { origins: [`https://${marker}.example`] }))
  const visit = visitorOf(app, widgetKey, `https://${marker}.example`)
  const visited = await plantVisit(visit, marker)
  const { path: webhookPath } = pathSchema.parse(await rest('POST', '/api/calls/callback-keys', { provider: 'ozonetel' }))
  const person = { email: `${marker}@acme.example`, firstName: marker, lastName: 'Rao', role: 'USER' }
  const { member } = createdSchema.parse(await rest('POST', '/api/team/members', person))
  const temporary = passwordSchema.parse(await rest('GET', `/api/team/members/${member.id}/temporary-password`)).password

  const snapshot = async (): Promise<Readonly<Record<string, string>>> => {
    const conversation = (await visit('GET', `chat/${visited.conversationId}`)).body
    const { slots } = slotsSchema.parse((await visit('GET', 'slots')).body)
    const isHeld = !slots.some(({ id }) => id === visited.slotId)
    return { ...(await snapshotOf(app, rest)), conversation: JSON.stringify(conversation), 'the slot is held': String(isHeld) }
  }
  const seen = Object.values(await snapshot()).join('\n')
  const ownIds = new Set([
    ...(seen.match(uuidPattern) ?? []),
    app.standIns.platform.workspaceIdOf(workspace),
    member.id,
    visited.conversationId,
    visited.bookingId,
  ])
  return {
    uuids: [...ownIds],
    texts: [ucid, recorded?.ucid ?? '', widgetKey, `manager@${workspace}.example`, `${workspace}.example`, workspace],
    named: await namedOf(rest, {
      calls: [ucid, recorded?.ucid ?? '', recorded?.id ?? ''],
      key: widgetKey,
      memberId: member.id,
      agentIds: app.standIns.platform.records(workspace, 'agent').map(({ id }) => String(id)),
    }),
    visit: visited,
    secrets: [marker, temporary, manager.token, manager.refreshToken, agent.token, agent.refreshToken, webhookPath],
    token: manager.token,
    snapshot,
  }
}

/** By the names of parameters: calls, agents, and one of each thing that has an id in the service. */
async function namedOf(
  rest: Rest,
  own: { calls: readonly string[]; key: string; memberId: string; agentIds: readonly string[] },
): Promise<Named> {
  const lists = await Promise.all(
    ['/api/events/dead', '/api/calls/worklist', '/api/calls/missed', '/api/webhooks'].map((path) => rest('GET', path)),
  )
  const firsts = lists.flatMap((list) => Array.from(JSON.stringify(list).matchAll(/"id":"([^"]+)"/g), ([, id = '']) => id).slice(0, 2))
  const [call = '', ...calls] = own.calls
  const { agents } = telephonyAccounts[workspace]
  const sessions = z.array(z.object({ agentId: z.string() })).parse(await rest('GET', '/api/sessions'))
  const agentIds = [...own.agentIds, ...sessions.map(({ agentId }) => agentId), ...agents.map(({ id }) => id)]
  const ids = [...firsts, own.memberId]
  return {
    callId: [call, ...calls],
    ucid: [call, ...calls],
    key: [own.key],
    agentId: nonEmpty(agentIds),
    id: nonEmpty(ids),
    workspace: [workspace],
  }
}

function nonEmpty([first, ...others]: readonly string[]): Names {
  if (first === undefined) throw new Error('the workspace lacks something')
  return [first, ...others]
}

const bookingSchema = z.object({ booking: z.object({ id: z.string() }) })
const slotsSchema = z.object({ slots: z.array(z.object({ id: z.string() })) })

/** A conversation of a visitor with the assistant, and a held slot. */
async function plantVisit(visit: Visit, marker: string): Promise<PlantedVisit> {
  const conversationId = crypto.randomUUID()
  const message = { id: 'first', role: 'user', parts: [{ type: 'text', text: `I am ${marker}` }] }
  const chat = await visit('POST', 'chat', { body: { id: conversationId, message } })
  if (chat.status !== 200) throw new Error(`the chat: ${JSON.stringify(chat.body)}`)
  const { slots } = slotsSchema.parse((await visit('GET', 'slots')).body)
  const slotId = slots.at(-1)?.id ?? ''
  const { booking } = bookingSchema.parse((await visit('POST', 'bookings', { body: { slotId } })).body)
  return { conversationId, slotId, bookingId: booking.id }
}

type Rest = (method: string, path: string, body?: unknown) => Promise<unknown>

async function plantConfiguration(rest: Rest, marker: string): Promise<void> {
  await rest('PUT', '/api/config/theme', { brand: { hospitalName: `${marker} hospital` } })
  const agent = { defaultAgentId: 'agent9', defaultAgentPassword: `${marker}-password` }
  await rest('PUT', '/api/config/telephony', { ...agent, campaignName: `${marker}-campaign` })
  await rest('PUT', '/api/config/ai', { systemPromptAddendum: `${marker} addendum` })
  await rest('PUT', '/api/config/widget', { enabled: true })
}

async function plantRecords(app: TestApp, token: string, marker: string): Promise<void> {
  const idsOf = (object: string): string[] => app.standIns.platform.records(workspace, object).map(({ id }) => String(id))
  const change = async (type: string, id: string, data: object): Promise<void> => {
    const document = `mutation ($id: UUID!, $data: ${type}UpdateInput!) { update${type}(id: $id, data: $data) { id } }`
    const { errors } = await app.graphql(document, { token, variables: { id, data } })
    if (errors) throw new Error(JSON.stringify(errors))
  }
  for (const id of idsOf('lead')) await change('Lead', id, { name: `${marker} lead` })
  for (const id of idsOf('doctor')) await change('Doctor', id, { name: `${marker} doctor` })
  for (const id of idsOf('call').slice(0, 40)) await change('Call', id, { notes: `${marker} notes` })
}

/** A call whose outcome is on the platform, with an insight. */
async function plantCall(app: TestApp, token: string, marker: string): Promise<string> {
  const { platform } = app.standIns
  const [lead = {}] = platform.records(workspace, 'lead')
  const { userName, agents } = telephonyAccounts[workspace]
  const agentId = agents[0]?.id ?? ''
  const { ucid } = app.standIns.telephony.inboundCall({ account: userName, from: '+919820011111', agentId })
  const outcome = { disposition: 'Information Given', leadId: lead['id'], notes: `${marker} said` }
  const answer = await app.rest('POST', `/api/calls/${ucid}/disposition`, { token, body: outcome })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  await waitFor(() => platform.records(workspace, 'lead', { id: { eq: lead['id'] } }).some(({ aiSummary }) => Boolean(aiSummary)))
  await waitFor(() =>
    platform.records(workspace, 'call', { ucid: { eq: ucid } }).some(({ disposition }) => disposition === 'Information Given'),
  )
  // The wrap-up ends now, and not two minutes later while the attackers try.
  await app.rest('PUT', '/api/agents/me/state', { token, body: { state: 'READY' } })
  await waitFor(() =>
    platform.records(workspace, 'call', { ucid: { eq: ucid } }).some(({ wrapUpSeconds }) => typeof wrapUpSeconds === 'number'),
  )
  return ucid
}

export async function plantDeadLetter(app: TestApp, marker: string, of: SandboxWorkspace = workspace): Promise<void> {
  const outbox = createSqliteOutbox({ dataDir: app.dataDir, clock: systemClock })
  const facts = { topic: 'call.completed', receiver: 'insights', eventId: crypto.randomUUID(), key: 'k', reason: 'INVALID_EVENT' }
  const value = Buffer.from(marker).toString('base64')
  const workspaceId = app.standIns.platform.workspaceIdOf(of)
  await outbox.deadLetters.add({ ...facts, id: crypto.randomUUID(), workspaceId, deadAt: Date.now(), value, headers: { marker } })
  await outbox.close()
}

const views = [
  ...['platform', 'telephony', 'ai', 'widget', 'theme'].flatMap((section) => [`/api/config/${section}`, `/api/config/${section}/history`]),
  '/api/config/widget/keys',
  '/api/config/setup-state',
  '/api/team/members',
  '/api/sessions',
  '/api/events/dead',
  '/api/calls/callback-keys',
  '/api/calls/missed',
  '/api/calls/worklist',
  '/api/calls/settings',
  '/api/audit',
]

async function snapshotOf(app: TestApp, rest: Rest): Promise<Readonly<Record<string, string>>> {
  const records = objects.map((object): [string, string] => [object, JSON.stringify(app.standIns.platform.records(workspace, object))])
  const seen = await Promise.all(views.map(async (path): Promise<[string, string]> => [path, JSON.stringify(await rest('GET', path))]))
  return Object.fromEntries([...records, ...seen])
}
