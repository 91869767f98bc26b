import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type Answer, type Client, createClient, inFlight, percentile, tokensOf } from './stage/client.ts'
import { type Figure, proveParts, say } from './stage/report.ts'
import { setStage, type Stage } from './stage/stage.ts'

/** A party, and a request of a client that needs it. */
type Party = {
  readonly name: 'platform' | 'telephony'
  readonly path: string
  readonly method: string
  readonly body: unknown
  readonly isGood: (answer: Answer) => boolean
}

const parties: Readonly<Record<Party['name'], Party>> = {
  platform: {
    name: 'platform',
    path: '/graphql',
    method: 'POST',
    body: { query: '{ leads(first: 1) { edges { node { id } } } }' },
    isGood: ({ status }) => status === 200,
  },
  telephony: {
    name: 'telephony',
    path: '/api/agents/me/state',
    method: 'PUT',
    body: { state: 'READY' },
    isGood: ({ status }) => status === 200,
  },
}

const stallSeconds = 12

// `npm run prove:upstreams`, or `-- platform telephony` for some of them.
await proveParts('Upstreams that fail or stall', {
  platform: () => prove(parties.platform),
  telephony: () => prove(parties.telephony),
})

type Desk = {
  readonly stage: Stage
  readonly client: Client
  readonly party: Party
  readonly url: string
  readonly headers: Record<string, string>
}

async function prove(party: Party): Promise<readonly Figure[]> {
  await using stack = new AsyncDisposableStack()
  const stage = stack.use(await setStage({ agents: 0 }))
  const { url } = await stage.service('embedded')
  const client = stack.use(createClient())
  const { accessToken } = tokensOf(await client.logIn(url, 'agent1'))
  const desk: Desk = { stage, client, party, url, headers: { authorization: `Bearer ${accessToken}` } }
  await untilGood(desk)
  return [...(await proveFailing(desk)), ...(await proveStalling(desk))]
}

function ask({ client, url, party, headers }: Desk): Promise<Answer> {
  return client.send(url + party.path, { method: party.method, body: party.body, headers })
}

async function proveFailing(desk: Desk): Promise<readonly Figure[]> {
  const { stage, party } = desk
  const requests = 300
  await stage.command(party.name, 'fault', { act: 'refuse', status: 503 })
  await stage.command(party.name, 'forget-calls')
  const answers = await inFlight(requests, 10, async () => ask(desk))
  const calls = z.array(z.unknown()).parse(await stage.command(party.name, 'calls')).length
  const statuses = new Set(answers.map(({ status }) => status))
  await stage.command(party.name, 'clear-faults')
  const recoveryMs = await untilGood(desk)
  const ratio = calls / requests
  return [
    {
      claim: `${party.name} answers only 503: its calls for each of ${requests} requests, 10 at a time`,
      figure: `${ratio.toFixed(2)} (${calls} calls; clients got ${[...statuses].join(', ')})`,
      holds: ratio <= 1.1 && [...statuses].every((status) => status === 503 || status === 502),
    },
    recovered(`${party.name} answers again after 503`, recoveryMs),
  ]
}

async function proveStalling(desk: Desk): Promise<readonly Figure[]> {
  const { stage, client, party, url, headers } = desk
  // Needs only the store.
  const other = () => client.send(`${url}/auth/heartbeat`, { body: {}, headers })
  const usual = await everyMs(50, 6, other)
  await stage.command(party.name, 'fault', { act: 'hang' })
  const startedAt = performance.now()
  let openedAfterMs = Number.POSITIVE_INFINITY
  const asked = everyMs(50, stallSeconds, async () => {
    const answer = await ask(desk)
    if (answer.status === 503 && openedAfterMs === Number.POSITIVE_INFINITY) openedAfterMs = performance.now() - startedAt
    return answer
  })
  const during = await everyMs(50, stallSeconds, other)
  await stage.command(party.name, 'clear-faults')
  const recoveryMs = await untilGood(desk)
  await asked
  const [usualMs, duringMs] = [percentile(usual, 0.99), percentile(during, 0.99)]
  say(`others: ${usual.length} before, ${during.length} during the stall`)
  return [
    {
      claim: `${party.name} stalls at 20 requests a second: until others get 503 at once`,
      figure: `${(openedAfterMs / 1_000).toFixed(1)} s`,
      holds: openedAfterMs <= 5_000,
    },
    {
      claim: `heartbeats meanwhile, 99th percentile`,
      figure: `${duringMs} ms; ${usualMs} ms before`,
      holds: duringMs <= 2 * usualMs && during.every(({ status }) => status === 200),
    },
    recovered(`${party.name} answers again after the stall`, recoveryMs),
  ]
}

function recovered(claim: string, ms: number): Figure {
  return { claim: `${claim}: until a request works`, figure: `${(ms / 1_000).toFixed(1)} s`, holds: ms <= 10_000 }
}

/** Sends a request every so many milliseconds, whether the others are answered or not. */
async function everyMs(ms: number, seconds: number, send: () => Promise<Answer>): Promise<readonly Answer[]> {
  const underWay: Promise<Answer>[] = []
  for (const end = performance.now() + seconds * 1_000; performance.now() < end;) {
    underWay.push(send())
    await delay(ms)
  }
  return Promise.all(underWay)
}

/** Milliseconds until a request works. Throws after a minute. */
async function untilGood(desk: Desk): Promise<number> {
  const startedAt = performance.now()
  for (let answer = await ask(desk); !desk.party.isGood(answer); answer = await ask(desk)) {
    if (performance.now() - startedAt > 60_000) throw new Error(`${desk.party.name} does not recover: ${JSON.stringify(answer)}`)
    await delay(100)
  }
  return performance.now() - startedAt
}
