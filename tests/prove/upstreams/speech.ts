import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { waitFor } from '../../harness/wait-for.ts'
import type { Figure } from '../stage/report.ts'
import { type Desk, openDesk, recovered, untilGood, untilPaused } from './desk.ts'

const listen = 'POST /v1/listen'
const query = '{ calls(first: 60) { edges { node { id recording { primaryLinkUrl } } } } }'
const node = z.object({ id: z.string(), recording: z.object({ primaryLinkUrl: z.string().nullable() }).nullable() })
const callsSchema = z.object({ data: z.object({ calls: z.object({ edges: z.array(z.object({ node })) }) }) })
const seenSchema = z.array(z.unknown())

/** Speech is used by jobs, which wait while it is paused: each recording is one request. */
export async function proveSpeech(): Promise<readonly Figure[]> {
  await using desk = await openDesk(['manager'])
  const { data } = callsSchema.parse((await desk.ask('/graphql', { body: { query } })).body)
  // A recording in Hindi takes two requests.
  const recorded = data.calls.edges.filter(
    ({ node: { recording } }) => recording?.primaryLinkUrl && !/call-009/.test(recording.primaryLinkUrl),
  )
  const [first = '', ...ids] = recorded.map(({ node: { id } }) => id)
  const analyse = (callId: string, waitSeconds: number) =>
    desk.ask('/api/recordings/analyze', { body: { callId, waitSeconds, force: true } })
  const recovery = () =>
    untilGood(
      () => analyse(first, 25),
      ({ status }) => status === 200,
    )
  await recovery()
  const begin = (callId: string) => analyse(callId, 0)
  return [
    ...(await proveFailing(desk, { ids: ids.slice(0, 7), begin, recovery })),
    ...(await proveStalling(desk, { ids: ids.slice(7), begin, recovery })),
  ]
}

type Recordings = {
  readonly ids: readonly string[]
  readonly begin: (callId: string) => Promise<unknown>
  /** Milliseconds until another recording is analysed. */
  readonly recovery: () => Promise<number>
}

async function proveFailing({ stage }: Desk, { ids, begin, recovery }: Recordings): Promise<readonly Figure[]> {
  await stage.command('speech', 'forget-calls')
  await stage.command('speech', 'fault', { operation: listen, act: 'refuse', status: 503 })
  await Promise.all(ids.map(begin))
  // Five failures pause it, then one call in two seconds is let through.
  await delay(10_000)
  const calls = seenSchema.parse(await stage.command('speech', 'calls', { operation: listen })).length
  await stage.command('speech', 'clear-faults')
  const ratio = calls / ids.length
  return [
    {
      claim: `speech answers only 503: its calls for each of ${ids.length} recordings, within 10 s`,
      figure: `${ratio.toFixed(2)} (${calls} calls)`,
      holds: calls > 0 && ratio <= 1.1,
    },
    recovered('speech answers again after 503', await recovery()),
  ]
}

async function proveStalling(desk: Desk, { ids, begin, recovery }: Recordings): Promise<readonly Figure[]> {
  const { stage } = desk
  await stage.command('speech', 'forget-calls')
  await stage.command('speech', 'fault', { operation: listen, act: 'hang' })
  const startedAt = performance.now()
  await Promise.all(ids.map(begin))
  const asked = async () => seenSchema.parse(await stage.command('speech', 'calls', { operation: listen })).length
  await waitFor(async () => (await asked()) === ids.length)
  // Only now everything, because the same stand-in serves the recordings.
  await stage.command('speech', 'fault', { act: 'hang' })
  const openedMs = await untilPaused(desk, 'speech', { since: startedAt })
  await stage.command('speech', 'clear-faults')
  return [
    {
      claim: `speech stalls with ${ids.length} recordings under way: until it gets no more of them`,
      figure: `${(openedMs / 1_000).toFixed(1)} s`,
      holds: openedMs <= 5_000,
    },
    recovered('speech answers again after the stall', await recovery()),
  ]
}
