import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { createChance, type Posting, playCall } from '../calls/traffic.ts'
import { type Client, tokensOf } from './client.ts'
import type { Asked } from './load.ts'

const site = 'https://www.hospital.example'
const keySchema = z.object({ key: z.string() })
const pathSchema = z.object({ path: z.string() })
const leadsSchema = z.object({
  data: z.object({
    leads: z.object({ edges: z.array(z.object({ node: z.object({ phones: z.object({ primaryPhoneNumber: z.string() }) }) })) }),
  }),
})
const callsSchema = z.object({
  data: z.object({
    calls: z.object({
      edges: z.array(
        z.object({ node: z.object({ id: z.string(), recording: z.object({ primaryLinkUrl: z.string().nullable() }).nullable() }) }),
      ),
    }),
  }),
})

/** A call whose last webhook was accepted. */
export type PlayedCall = { readonly ucid: string; readonly event: 'call.completed' | 'call.missed' }

/** What clients of all kinds send: the frontend's queries, heartbeats, webhooks of calls, and chats of visitors. */
export type Traffic = {
  readonly manager: string
  readonly next: () => Asked
  /** Calls whose events must be published. */
  readonly calls: readonly PlayedCall[]
  /** Recorded calls of the platform, by id. */
  readonly recordings: readonly string[]
  /** A chat of a new visitor. */
  readonly chat: () => Asked
}

/**
 * Signs in at `url`, makes a webhook address and a widget key there. One request in `webhookEvery` is a webhook: the calls cost requests of the
 * platform's API key, which others may need too.
 */
export async function openTraffic(client: Client, url: string, { webhookEvery = 20 } = {}): Promise<Traffic> {
  const manager = tokensOf(await client.logIn(url, 'manager')).accessToken
  const agent = tokensOf(await client.logIn(url, 'agent1')).accessToken
  const headers = bearer(manager)
  await client.send(`${url}/api/config/theme`, { method: 'PUT', headers, body: { brand: { hospitalName: 'Sunrise Hospital' } } })
  await client.send(`${url}/api/config/widget`, { method: 'PUT', headers, body: { enabled: true, dailyTokenBudget: 50_000_000 } })
  const { key } = keySchema.parse((await client.send(`${url}/api/config/widget/keys`, { headers, body: { origins: [site] } })).body)
  const { path: hook } = pathSchema.parse(
    (await client.send(`${url}/api/calls/callback-keys`, { headers, body: { provider: 'ozonetel' } })).body,
  )
  const graphql = async (query: string): Promise<unknown> => (await client.send(`${url}/graphql`, { headers, body: { query } })).body
  const { leads } = leadsSchema.parse(await graphql('{ leads(first: 20) { edges { node { phones { primaryPhoneNumber } } } } }')).data
  const recorded = callsSchema.parse(await graphql('{ calls(first: 60) { edges { node { id recording { primaryLinkUrl } } } } }')).data
  const calls: PlayedCall[] = []
  const nextWebhook = playCalls(
    hook,
    leads.edges.map(({ node }) => node.phones.primaryPhoneNumber),
    calls,
  )
  const query = (text: string, token: string): Asked => ({
    kind: text.slice(0, 12),
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', ...bearer(token) },
    body: JSON.stringify({ query: text }),
    isRight: (status, answer) => status === 200 && !answer.includes('"errors"'),
  })
  const heartbeat: Asked = {
    kind: 'heartbeat',
    method: 'POST',
    path: '/auth/heartbeat',
    headers: { 'content-type': 'application/json', ...bearer(agent) },
    body: '{}',
    isRight: (status) => status === 200,
  }
  const day: Asked = {
    kind: 'REST',
    method: 'GET',
    path: '/api/calls/missed',
    headers: bearer(manager),
    isRight: (status) => status === 200,
  }
  let visitors = 0
  const chat = (): Asked => {
    visitors += 1
    return chatOf(key, `198.18.${(visitors >> 8) & 255}.${visitors & 255}`)
  }
  let asked = 0
  return {
    manager,
    calls,
    chat,
    recordings: recorded.calls.edges.filter(({ node }) => node.recording?.primaryLinkUrl).map(({ node }) => node.id),
    next() {
      asked += 1
      if (asked % 200 === 1) return chat()
      if (asked % webhookEvery === 0) return nextWebhook()
      const part = asked % 20
      if (part < 3) return heartbeat
      if (part < 5) return day
      return part < 10 ? query('{ me { role } }', manager) : query('{ leads(first: 1) { edges { node { id name } } } }', manager)
    },
  }
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

/** The webhooks of one call after another, of an agent who does nothing else. One call in twenty is with a lead. */
function playCalls(path: string, leads: readonly string[], calls: PlayedCall[]): () => Asked {
  const chance = createChance(20_261_122)
  let index = 0
  let waiting: (() => Asked)[] = []
  const begin = (): void => {
    index += 1
    const { postings, expected } = playCall(index, chance, { beganAt: Date.now() - 600_000, agentId: 'agent3' })
    const lead = index % 20 === 0 ? leads[(index / 20) % leads.length] : undefined
    const event = expected.status === 'MISSED' ? 'call.missed' : 'call.completed'
    const isPublished = event === 'call.missed' || expected.disposition !== null
    const from = `0${String(7_000_000_000 + index)}`
    waiting = postings.map((posting, place) => () => {
      const isLast = place === postings.length - 1
      const reported = lead === undefined ? posting : { ...posting, body: posting.body.replaceAll(from, `0${lead}`) }
      return webhook(path, reported, () => void (isLast && isPublished && calls.push({ ucid: expected.ucid, event })))
    })
  }
  return () => {
    if (waiting.length === 0) begin()
    const [first, ...others] = waiting
    waiting = others
    if (!first) throw new Error('a call without webhooks')
    return first()
  }
}

function webhook(path: string, { contentType, body }: Posting, onRight: () => void): Asked {
  return {
    kind: 'webhook',
    method: 'POST',
    path,
    headers: { 'content-type': contentType },
    body,
    isRight: (status) => status === 200,
    onRight,
  }
}

function chatOf(key: string, address: string): Asked {
  const message = { id: randomUUID(), role: 'user', parts: [{ type: 'text', text: 'Hello! Which doctors do you have?' }] }
  return {
    kind: 'chat',
    method: 'POST',
    path: '/api/widget/chat',
    headers: { 'content-type': 'application/json', 'x-widget-key': key, origin: site, 'x-forwarded-for': address },
    body: JSON.stringify({ id: randomUUID(), message }),
    isRight: (status, text) => status === 200 && text.includes('"type":"finish"') && !text.includes('"type":"error"'),
  }
}
