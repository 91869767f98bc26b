import type { KafkaServer } from '../../harness/kafka/server.ts'
import { viewTopic } from '../../harness/kafka/topic.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { type Figure, say } from '../stage/report.ts'
import type { Prometheus } from './prometheus.ts'

type Stage = {
  readonly url: string
  readonly platformUrl: string
  readonly kafka: Pick<KafkaServer, 'broker' | 'kill' | 'restart'>
}

/** Something that goes wrong, and the alerts that it raises. */
type Moment = {
  readonly what: string
  readonly alerts: readonly string[]
  /** Those that end when it is over; the others look back five minutes, or wait for a person. */
  readonly ends: readonly string[]
  begin(): Promise<unknown>
  /** Repeated until the alerts fire, and until they end. */
  use(): Promise<unknown>
  end(): Promise<unknown>
}

const deadlineMs = 40_000

const post = (address: string, body: unknown): Promise<Response> =>
  fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

function momentsOf({ url, platformUrl, kafka }: Stage): readonly Moment[] {
  return [
    {
      what: 'the platform answers only 503',
      alerts: ['SidecarUpstreamPaused', 'SidecarServerErrors'],
      ends: ['SidecarUpstreamPaused'],
      begin: () => post(`${platformUrl}/_sandbox/fault`, { operation: '', act: 'refuse', status: 503 }),
      use: () => post(`${url}/graphql`, { query: '{ leads(first: 1) { edges { node { id } } } }' }).then((answer) => answer.text()),
      end: () => post(`${platformUrl}/_sandbox/clear-faults`, {}),
    },
    {
      what: 'a message that is no event comes from the broker',
      alerts: ['SidecarDeadLetters'],
      ends: [],
      begin: async () => {
        await using topic = await viewTopic(kafka.broker, 'call.completed')
        await topic.put({ key: 'none', value: 'no event' })
      },
      use: async () => {},
      end: async () => {},
    },
    {
      what: 'the broker is stopped while an agent signs in',
      alerts: ['SidecarEventsStuck'],
      ends: ['SidecarEventsStuck'],
      begin: async () => {
        await kafka.kill()
        const answer = await post(`${url}/auth/login`, { email: 'agent3@demo.example', password: 'sandbox-password', workspace: 'demo' })
        if (!answer.ok) throw new Error(`the sign-in is answered with ${answer.status}: ${await answer.text()}`)
      },
      use: async () => {},
      end: () => kafka.restart(),
    },
  ]
}

/** Each moment in turn: how long until a real Prometheus shows its alerts as firing, and, when it is over, until they are gone. */
export async function proveAlerts(stage: Stage, prometheus: Prometheus): Promise<Figure> {
  const shown: string[] = []
  const early = new Set(await firing(prometheus))
  let holds = true
  for (const moment of momentsOf(stage)) {
    say(`proving alerts: ${moment.what}`)
    const unexpected = moment.alerts.filter((alert) => early.has(alert))
    const raised = await timed(() => moment.begin(), {
      prometheus,
      moment,
      isOver: (now) => moment.alerts.every((alert) => now.has(alert)),
    })
    const ended = await timed(() => moment.end(), { prometheus, moment, isOver: (now) => !moment.ends.some((alert) => now.has(alert)) })
    holds &&= unexpected.length === 0 && raised !== null && ended !== null
    const over = moment.ends.length === 0 ? '' : `, ${moment.ends.join(' and ')} gone ${inSeconds(ended)} after its end`
    shown.push(`${moment.what}: ${moment.alerts.join(' and ')} ${inSeconds(raised)} later${over}`)
  }
  return {
    claim:
      'Alerts that a real Prometheus fires, and ends (a scrape each second; in a copy of the rules, `for:` is 2 s and an event waits too long after 3 s instead of 300 s)',
    figure: shown.join('; '),
    holds,
  }
}

async function firing(prometheus: Prometheus): Promise<readonly string[]> {
  return (await prometheus.alerts()).filter(({ state }) => state === 'firing').map(({ name }) => name)
}

type Wait = { readonly prometheus: Prometheus; readonly moment: Moment; readonly isOver: (firing: ReadonlySet<string>) => boolean }

/** Milliseconds; null if it takes longer than the deadline. */
async function timed(begin: () => Promise<unknown>, { prometheus, moment, isOver }: Wait): Promise<number | null> {
  const startedAt = performance.now()
  await begin()
  const until = async (): Promise<boolean> => {
    await moment.use()
    return isOver(new Set(await firing(prometheus)))
  }
  return waitFor(until, { deadlineMs, what: moment.what }).then(
    () => performance.now() - startedAt,
    () => null,
  )
}

function inSeconds(ms: number | null): string {
  return ms === null ? `not within ${deadlineMs / 1_000} s` : `${(ms / 1_000).toFixed(1)} s`
}
