import { setTimeout as pause } from 'node:timers/promises'
import { getIntrospectionQuery } from 'graphql'
import { socketWalks, walkSocket } from '../../harness/socket-walks.ts'
import { createClient, inFlight, tokensOf } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { startWatchedService, type WatchedService } from './watched.ts'

const walks = 10_000
const [members, atOnce] = [8, 16]
const queries = [
  '{ __typename }',
  '{ me { role } }',
  '{ me { nothing } }',
  '{ calls(first: 20) { edges { node { id name } } } }',
  '{ me { role } calls(first: 5) { edges { node { id } } } }',
  '{ calls(first: 5) { edges { node { id recording { state } } } } }',
  'subscription { agentStates { providerAgentId state } }',
  'subscription { callEvents { kind call { ucid } } }',
  'subscription { onEventSubscription(eventStreamId: "1") { eventStreamId } }',
  getIntrospectionQuery(),
]
const most = { heldMb: 60 }

/**
 * Members who do whatever the protocol of web sockets allows, and more, in a random order, and leave in every way: whether the process lives, and
 * holds nothing of it. `WALK_SEED` repeats a run.
 */
export async function proveSocketWalks(): Promise<readonly Figure[]> {
  const seed = Number(process.env['WALK_SEED'] ?? Date.now() % 2 ** 31)
  await using service = await startWatchedService({ agents: members, settings: { METRICS_FROM: 'loopback' } })
  await using client = createClient()
  const signIn = async (index: number) => tokensOf(await client.logIn(service.url, `load${index + 1}`)).accessToken
  const tokens = await inFlight(members, 1, signIn)
  const play = async (count: number, own: number): Promise<void> => {
    const all = socketWalks(count, own)
    await inFlight(count, atOnce, async (index) => {
      const walk = all[index]
      if (index % 1_000 === 0) say(`seed ${own}, sequence ${index} of ${count}`)
      if (walk) await walkSocket(walk, { url: service.url, queries, token: tokens[index % members] })
    })
  }
  // What a service holds that has done everything once.
  await play(200, 1)
  const before = await service.read()
  await play(walks, seed)
  const left = await untilNothingIsOpen(service)
  const after = await service.read()
  return [
    {
      claim: `${walks} random sequences of subscribe, complete, ping, pause, cut and reset over web sockets, by ${members} members, ${atOnce} at once`,
      figure: `seed ${seed}: the process lives; ${left}; it holds ${Math.round(before.heldMb)} MB before, ${Math.round(after.heldMb)} MB after`,
      holds: left === nothing && after.heldMb - before.heldMb <= most.heldMb,
    },
  ]
}

const nothing = 'no connection and no request is left'

async function untilNothingIsOpen({ url }: WatchedService): Promise<string> {
  const figures = /^(?:sidecar_http_connections|http_server_active_requests) (\d+)$/gm
  for (let tries = 0; ; tries += 1) {
    const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text()
    const counts = [...text.matchAll(figures)].map(([line]) => line)
    // Those of the question itself, and of the sign-ins' connection.
    if (counts.length === 2 && counts.every((line) => Number(line.split(' ')[1]) <= 3)) return nothing
    if (tries === 100) return counts.join(', ')
    await pause(200)
  }
}
