import type { AlertsSection } from '../../ports/configuration/alerts.ts'
import type { Ports } from '../../ports/ports.ts'
import { readAgentStates } from '../calls/agent-state/agent-state-store.ts'
import { countWaitingCalls } from '../calls/missed-calls/missed-call-store.ts'
import { readLastWebhook } from '../calls/webhooks/read-webhook-status.ts'
import { liveSessions } from '../sessions/list-sessions.ts'
import { type SupervisedAgent, supervisedAgents } from '../supervision/overview.ts'
import { type AlertKind, alertKinds, type Breach, thresholdFields } from './alert.ts'
import { readFailing } from './failing-upstreams.ts'
import { openSince } from './open-hours.ts'

const minuteMs = 60_000

/** What a threshold is compared with. `watchedSince`: since when the workspace is evaluated without a pause. */
type Watch = { readonly workspaceId: string; readonly section: AlertsSection; readonly now: number; readonly watchedSince: number }
type Reads = Pick<Ports, 'clock' | 'configuration' | 'store'>

/** `unknown`: the kinds that could not be checked; `failures`: why. */
export type FoundBreaches = {
  readonly breaches: readonly Breach[]
  readonly unknown: ReadonlySet<AlertKind>
  readonly failures: readonly unknown[]
}

/** The thresholds of the workspace that are reached now. Reads the store only. A check that fails hides none of the others. Errors: STORE_UNAVAILABLE. */
export async function findBreaches(ports: Reads, watch: Watch): Promise<FoundBreaches> {
  const { section, workspaceId, now } = watch
  const { timeZone } = (await ports.configuration.read(workspaceId, 'platform')).visits
  const moment = new Moment(ports, { ...watch, openAt: openSince(section.openHours, now, timeZone) })
  const results = await Promise.allSettled(alertKinds.map((kind) => breachesOf(kind, section, moment)))
  const failures = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []))
  return {
    breaches: results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
    unknown: new Set(alertKinds.filter((_, index) => results[index]?.status === 'rejected')),
    // Two kinds may fail by the same read.
    failures: [...new Set(failures)],
  }
}

async function breachesOf(kind: AlertKind, section: AlertsSection, moment: Moment): Promise<readonly Breach[]> {
  const threshold = section[thresholdFields[kind]]
  if (threshold === null) return []
  const reached = await checks[kind](moment, threshold)
  return reached.map((breach) => ({ kind, threshold, ...breach }))
}

/** What the checks read. Two of them share a read. `openAt`: since when the clinic is open; null while it is closed. */
class Moment {
  readonly ports: Reads
  readonly watch: Watch & { readonly openAt: number | null }
  #calls: ReturnType<typeof countWaitingCalls> | undefined
  #agents: Promise<readonly SupervisedAgent[]> | undefined

  constructor(ports: Reads, watch: Moment['watch']) {
    this.ports = ports
    this.watch = watch
  }

  waitingCalls(): ReturnType<typeof countWaitingCalls> {
    return (this.#calls ??= countWaitingCalls(this.ports, this.watch.workspaceId))
  }

  agents(): Promise<readonly SupervisedAgent[]> {
    return (this.#agents ??= readAgents(this.ports, this.watch.workspaceId))
  }
}

async function readAgents(ports: Reads, workspaceId: string): Promise<readonly SupervisedAgent[]> {
  const [sessions, activities] = await Promise.all([liveSessions(ports, workspaceId), readAgentStates(ports, workspaceId)])
  return supervisedAgents(sessions, activities)
}

type Reached = Pick<Breach, 'subject' | 'value' | 'forMs'>

/** Where each threshold is reached. */
const checks: Readonly<Record<AlertKind, (moment: Moment, threshold: number) => Promise<readonly Reached[]>>> = {
  async MISSED_CALLS_WAITING(moment, threshold) {
    return reachedBy((await moment.waitingCalls()).count, threshold)
  },
  async LONGEST_WAIT(moment, threshold) {
    const { oldestAt } = await moment.waitingCalls()
    return reachedBy(oldestAt === null ? 0 : minutesSince(Date.parse(oldestAt), moment.watch.now), threshold)
  },
  async WRAP_UP(moment, threshold) {
    const agents = await moment.agents()
    return agents.flatMap((agent) => reachedBy(wrapUpOf(agent, moment.watch.now), threshold, { id: agent.agentId, name: agent.agentName }))
  },
  async NO_AGENT_READY(moment, threshold) {
    const isNobodyReady = !(await moment.agents()).some(({ state }) => state === 'READY')
    return isNobodyReady && moment.watch.openAt !== null ? [lasting(threshold)] : []
  },
  async PROVIDER_FAILING({ ports, watch }, threshold) {
    const parties = await readFailing(ports, watch.workspaceId)
    return parties.map((subject) => lasting(threshold, subject))
  },
  /** Silence counts while the clinic is open, and while the service runs: before that no webhook could come. */
  async WEBHOOKS_SILENT({ ports, watch: { workspaceId, now, watchedSince, openAt } }, threshold) {
    if (openAt === null) return []
    const { provider } = await ports.configuration.read(workspaceId, 'telephony')
    if (provider === null) return []
    const last = await readLastWebhook(ports, { workspaceId, provider: provider.id })
    const silentMinutes = minutesSince(Math.max(openAt, watchedSince, last?.handledAt ?? 0), now)
    return reachedBy(silentMinutes, threshold, { id: provider.id, name: provider.id })
  },
}

function wrapUpOf({ state, since }: SupervisedAgent, now: number): number {
  return state === 'WRAP_UP' && since !== null ? minutesSince(Date.parse(since), now) : 0
}

function reachedBy(value: number, threshold: number, subject: Breach['subject'] = null): readonly Reached[] {
  return value < threshold ? [] : [{ subject, value, forMs: 0 }]
}

function lasting(minutes: number, subject: Breach['subject'] = null): Reached {
  return { subject, value: minutes, forMs: minutes * minuteMs }
}

function minutesSince(moment: number, now: number): number {
  return Math.floor((now - moment) / minuteMs)
}
