import { expect, test } from 'vitest'
import { z } from 'zod'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { ask, startInstances } from '../harness/instances.ts'
import { realServer } from '../harness/real-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { subscribe } from '../harness/subscribe.ts'
import { waitFor } from '../harness/wait-for.ts'

const redis = await realServer('redis')
const tokenSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
const entriesSchema = z.array(z.object({ id: z.string(), phoneNumber: z.string(), status: z.string() }))

async function signIn(url: string, name: string): Promise<string> {
  const body = { email: `${name}@demo.example`, password: sandboxPassword, workspace: 'demo' }
  return tokenSchema.parse((await ask(url, '/auth/login', { body })).body).tokens.accessToken.token
}

test.skipIf(redis === null)('agents of two instances share one worklist, and never claim the same person', async () => {
  await using server = await startRedisServer(redis?.binary ?? '')
  await using instances = await startInstances({ count: 2, redisUrl: server.url, receivesWebhooks: true })
  const [first = '', second = ''] = instances.urls
  const { telephony } = instances.standIns
  telephony.accountMode({ mode: 'token' })
  const [one, two] = [await signIn(first, 'agent1'), await signIn(second, 'agent2')]
  const changes = await subscribe(second, { query: 'subscription { worklistChanges { entry { id status } } }', token: two })
  for (let index = 0; index < 20; index += 1) telephony.missCall({ from: `+9198333000${String(index).padStart(2, '0')}` })
  const entries = await waitFor(async () => {
    const found = entriesSchema.parse((await ask(first, '/api/calls/worklist', { token: one })).body)
    return found.length === 20 ? found : null
  })
  const claim = (url: string, id: string, token: string) => ask(url, `/api/calls/worklist/${id}/claim`, { token, body: {} })
  const answers = await Promise.all(entries.map(({ id }) => Promise.all([claim(first, id, one), claim(second, id, two)])))
  for (const both of answers) expect(both.map(({ status }) => status).toSorted((low, high) => low - high)).toEqual([200, 409])
  await waitFor(() => entries.every(({ id }) => changes.text.includes(`"id":"${id}","status":"CLAIMED"`)))
  changes.leave()
  await waitFor(() => changes.ended)
})

const claimedSchema = z.array(
  z.looseObject({ id: z.string(), phoneNumber: z.string(), claim: z.object({ agentId: z.string() }).nullable() }),
)
/** An answer of a claim says who has the person: the agent itself, or another one. */
const wonSchema = z.looseObject({ claim: z.object({ agentId: z.string() }) })
const lostSchema = z.looseObject({ reason: z.literal('ALREADY_CLAIMED'), data: z.object({ claimedBy: z.object({ agentId: z.string() }) }) })

/** Whom both instances showed as the one who has the person, between a claim that succeeded and giving the person back. */
type Held = { readonly agentId: string; readonly seen: readonly (string | undefined)[]; readonly givenBack: number }

test.skipIf(redis === null)(
  'agents who claim, give back and claim again at two instances, while a manager gives people to others: nobody is ever had by two',
  async () => {
    await using server = await startRedisServer(redis?.binary ?? '')
    const aheadMs = { value: 0 }
    const clock = { now: () => Date.now() + aheadMs.value }
    await using instances = await startInstances({ count: 2, redisUrl: server.url, receivesWebhooks: true, clock })
    const [first = '', second = ''] = instances.urls
    const { telephony } = instances.standIns
    telephony.accountMode({ mode: 'token' })
    const manager = await signIn(first, 'manager')
    const agents = await Promise.all(['agent1', 'agent2', 'agent3'].map((name) => signIn(first, name)))
    const send = async (method: string, path: string, { token, body }: { token: string; body?: unknown }) => {
      const url = Math.random() < 0.5 ? first : second
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const answer = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
      const json: unknown = await answer.json()
      return { status: answer.status, body: json }
    }
    const claim = (id: string, token: string) => send('POST', `/api/calls/worklist/${id}/claim`, { token, body: {} })
    const giveBack = (id: string, token: string) => send('DELETE', `/api/calls/worklist/${id}/claim`, { token })
    const read = async (url: string) => claimedSchema.parse((await ask(url, '/api/calls/worklist', { token: manager })).body)
    await send('PUT', '/api/config/telephony', { token: manager, body: { claimMinutes: 1 } })
    for (let index = 0; index < 5; index += 1) telephony.missCall({ from: `+91984440000${index}` })
    const ids = await waitFor(async () => {
      const found = await read(first)
      return found.length === 5 ? found.map(({ id }) => id) : null
    })

    // All at once, from several tabs of each agent: one agent gets each person, and every answer names the same one.
    const winners = async (): Promise<readonly string[]> =>
      Promise.all(
        ids.map(async (id) => {
          const tabs = [...agents, ...agents]
          const answers = await Promise.all(tabs.map((token) => claim(id, token)))
          const named = answers.map(
            ({ body }) => wonSchema.safeParse(body).data?.claim.agentId ?? lostSchema.parse(body).data.claimedBy.agentId,
          )
          expect(answers.filter(({ status }) => status === 200).length).toBe(2)
          expect(new Set(named).size).toBe(1)
          return named[0] ?? ''
        }),
      )
    const before = await winners()
    for (const url of [first, second]) {
      const shown = new Map((await read(url)).map((entry) => [entry.id, entry.claim?.agentId]))
      expect(ids.map((id) => shown.get(id))).toEqual(before)
    }

    // A claim that has ended by its time is free for one of them, and giving it back does not take it from the next.
    aheadMs.value += 61_000
    const after = await winners()
    for (const token of agents) {
      for (const id of ids) expect([200, 409]).toContain((await giveBack(id, token)).status)
    }
    expect((await read(second)).every(({ claim: held }) => held === null)).toBe(true)
    expect(after).toHaveLength(ids.length)

    // Each hurries on its own: who has a person has them until they give them back, whichever instance is asked.
    const work = async (token: string): Promise<readonly Held[]> => {
      const periods: Held[] = []
      for (let step = 0; step < 12; step += 1) {
        const id = ids[step % ids.length] ?? ''
        const { status, body } = await claim(id, token)
        if (status !== 200) lostSchema.parse(body)
        else {
          const { agentId } = wonSchema.parse(body).claim
          const seen: (string | undefined)[] = []
          for (const url of [first, second]) seen.push((await read(url)).find((entry) => entry.id === id)?.claim?.agentId)
          periods.push({ agentId, seen, givenBack: (await giveBack(id, token)).status })
        }
      }
      return periods
    }
    for (const periods of await Promise.all(agents.map(work))) {
      expect(periods.length).toBeGreaterThan(0)
      expect(periods).toEqual(periods.map(({ agentId }) => ({ agentId, seen: [agentId, agentId], givenBack: 200 })))
    }

    // The manager gives each person to somebody else while all claim them: in the end, both instances show one and the same.
    const agentIds = [...new Set([...before, ...after])]
    await Promise.all(
      ids.flatMap((id, index) => [
        ...agents.map((token) => claim(id, token)),
        send('PUT', `/api/calls/worklist/${id}/assignee`, {
          token: manager,
          body: { agentId: agentIds[index % agentIds.length], endClaim: true },
        }),
        ...agents.map((token) => claim(id, token)),
      ]),
    )
    expect(await read(first)).toEqual(await read(second))
    await winners()
  },
)
