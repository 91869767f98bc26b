import { buildSchema } from 'graphql'
import { readContract } from '../../../src/server/graphql/local-schema.ts'
import { createTestApp, type TestApp } from '../app.ts'
import { type Attempt, graphqlAttempts, platformAttempts, restAttempts } from './requests.ts'
import { plantVictim, type Victim } from './victim.ts'
import { watchStreams } from './watch-streams.ts'

export type Crossings = {
  readonly tries: number
  readonly operations: number
  /** How many answers had each status, or code of an error of GraphQL. */
  readonly statuses: Readonly<Record<string, number>>
  /** What came out of the other workspace, with the operation. */
  readonly leaks: readonly string[]
  /** The views of the other workspace that are not as before. */
  readonly changes: readonly string[]
  /** In how many answers to the victim's own manager the same search finds something. */
  readonly seenFromInside: number
}

const members = ['manager@demo.example', 'agent1@demo.example'] as const

/**
 * A manager and an agent of `demo` try every REST operation, every root field and the platform's records with ids, names and headers of
 * `acme`; with `alternately`, each try is made by one of them. An answer or stream must hold no id of `acme` that the request did not send, and no
 * secret; and `acme` must be the same afterwards.
 */
export async function tryCrossings(options: {
  readonly rounds: number
  readonly seed: number
  readonly alternately?: boolean
}): Promise<Crossings> {
  const { rounds, alternately = false } = options
  await using app = await createTestApp({ receivesWebhooks: true })
  const victim = await plantVictim(app)
  const { body: description } = await app.rest('GET', '/openapi.json')
  const attempts = [
    ...restAttempts(description, victim, options),
    ...graphqlAttempts(buildSchema(readContract()), victim, options),
    ...platformAttempts(victim, { ...options, rounds: Math.ceil(rounds / 2) }),
  ]
  const seenFromInside = await countSeen(app, attempts, victim)
  // Only now: exports by the victim's own manager are in its audit.
  const before = await victim.snapshot()
  const attackers = members.map((name) => createAttacker(app, name, victim))
  for (const [index, attempt] of attempts.entries()) {
    for (const attacker of alternately ? attackers.slice(index % 2, (index % 2) + 1) : attackers) await attacker.try(attempt)
  }
  const after = await victim.snapshot()
  const tokens = { attackers: await Promise.all(attackers.map((attacker) => attacker.token())), victim: victim.token }
  const streamed = await watchStreams(app, tokens)
  const stream = { ...nothing, operation: 'streams' }
  const statuses = attackers.flatMap((attacker) => attacker.statuses)
  return {
    tries: statuses.length,
    operations: new Set(attempts.map(({ operation }) => operation)).size,
    statuses: Object.fromEntries(
      [...new Set(statuses)].toSorted().map((each) => [each, statuses.filter((status) => status === each).length]),
    ),
    leaks: [...attackers.flatMap((attacker) => attacker.leaks), ...leaksIn(streamed, stream, victim)],
    changes: Object.keys(before).filter((view) => before[view] !== after[view]),
    seenFromInside,
  }
}

/** In how many answers the same search finds something if the victim's own manager reads: a search that finds nothing there is blind. */
async function countSeen(app: TestApp, attempts: readonly Attempt[], victim: Victim): Promise<number> {
  const reading = attempts.filter(({ operation }) => /^(GET|query) /.test(operation))
  const answers = await Promise.all(reading.map((attempt) => send(app, attempt, victim.token)))
  return answers.filter(({ text }, index) => leaksIn(text, reading[index] ?? nothing, victim).length > 0).length
}

const nothing: Attempt = { operation: '', method: '', path: '', headers: {}, body: null }

function createAttacker(app: TestApp, name: string, victim: Victim) {
  const statuses: string[] = []
  const leaks: string[] = []
  let current: string | null = null
  const token = async (): Promise<string> => (current ??= (await app.signIn(name)).token)
  return {
    statuses,
    leaks,
    token,
    async try(attempt: Attempt): Promise<void> {
      const sent = await token()
      const { status, text } = await send(app, attempt, sent)
      statuses.push(status === 200 ? (/"code":"([A-Z_]+)"/.exec(text)?.[1] ?? '200') : String(status))
      leaks.push(...leaksIn(text, attempt, victim))
      if (status !== 401) return
      // Something that it did ended its own token or session.
      await app.rest('POST', '/auth/logout', { token: sent, body: {} })
      current = null
    },
  }
}

async function send(app: TestApp, { method, path, headers, body }: Attempt, token: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(app.url + path, {
    method,
    headers: { ...headers, authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  })
  return { status: answer.status, text: `${JSON.stringify([...answer.headers])}${await answer.text()}` }
}

function leaksIn(text: string, attempt: Attempt, { uuids, secrets }: Victim): readonly string[] {
  const sent = `${decodeURIComponent(attempt.path)}${JSON.stringify(attempt.headers)}${JSON.stringify(attempt.body)}`
  return [...secrets, ...uuids].filter((one) => text.includes(one) && !sent.includes(one)).map((one) => `${attempt.operation}: ${one}`)
}
