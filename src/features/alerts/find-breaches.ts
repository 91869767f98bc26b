import type { AlertsSection } from '../../ports/configuration/alerts.ts'
import type { Ports } from '../../ports/ports.ts'
import { readAgentStates } from '../calls/agent-state-store.ts'
import { countWaitingCalls } from '../calls/missed-call-store.ts'
import { readLastWebhook } from '../calls/webhook-log/read-webhook-status.ts'
import { liveSessions } from '../sessions/list-sessions.ts'
import { type SupervisedAgent, supervisedAgents } from '../supervision/overview.ts'
import type { Breach } from './alert.ts'
import { readFailing } from './failing-upstreams.ts'
import { openSince } from './open-hours.ts'

const minuteMs = 60_000

/** What a threshold is compared with. `watchedSince`: since when the workspace is evaluated without a pause. */
type Watch = { readonly workspaceId: string; readonly section: AlertsSection; readonly now: number; readonly watchedSince: number }
type Reads = Pick<Ports, 'clock' | 'configuration' | 'store'>

/** `unknown`: the kinds that could not be checked; `failures`: why. */
export type FoundBreaches = {
  readonly breaches: readonly Breach[]
  readonly unknown: ReadonlySet<Breach['kind']>
  readonly failures: readonly unknown[]
}

/** The thresholds of the workspace that are reached now. Reads the store only. A check that fails hides none of the others. Errors: STORE_UNAVAILABLE. */
export async function findBreaches(ports: Reads, watch: Watch): Promise<FoundBreaches> {
  const { section, workspaceId, now } = watch
  const { timeZone } = (await ports.configuration.read(workspaceId, 'platform')).visits
  const openAt = openSince(section.openHours, now, timeZone)
  const checks = [
    { kinds: ['MISSED_CALLS_WAITING', 'LONGEST_WAIT'], found: missedCalls(ports, watch) },
    { kinds: ['WRAP_UP', 'NO_AGENT_READY'], found: agents(ports, watch, openAt !== null) },
    { kinds: ['PROVIDER_FAILING'], found: failing(ports, watch) },
    { kinds: ['WEBHOOKS_SILENT'], found: openAt === null ? Promise.resolve([]) : silence(ports, watch, openAt) },
  ] as const
  const results = await Promise.allSettled(checks.map(({ found }) => found))
  return {
    breaches: results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
    unknown: new Set(checks.flatMap(({ kinds }, index) => (results[index]?.status === 'rejected' ? kinds : []))),
    failures: results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : [])),
  }
}

async function missedCalls(ports: Reads, { workspaceId, section, now }: Watch): Promise<readonly Breach[]> {
  const { waitingMissedCalls, longestWaitMinutes } = section
  if (waitingMissedCalls === null && longestWaitMinutes === null) return []
  const { count, oldestAt } = await countWaitingCalls(ports, workspaceId)
  const waited = oldestAt === null ? 0 : minutesSince(Date.parse(oldestAt), now)
  return [
    ...reached('MISSED_CALLS_WAITING', { value: count, threshold: waitingMissedCalls }),
    ...reached('LONGEST_WAIT', { value: waited, threshold: longestWaitMinutes }),
  ]
}

// oxlint-disable-next-line max-params -- whether it is open belongs to no other input
async function agents(ports: Reads, { workspaceId, section, now }: Watch, isOpen: boolean): Promise<readonly Breach[]> {
  const { wrapUpMinutes, noAgentReadyMinutes } = section
  if (wrapUpMinutes === null && noAgentReadyMinutes === null) return []
  const [sessions, activities] = await Promise.all([liveSessions(ports, workspaceId), readAgentStates(ports, workspaceId)])
  const present = supervisedAgents(sessions, activities)
  const isNobodyReady = isOpen && !present.some(({ state }) => state === 'READY')
  return [
    ...present.flatMap((agent) => reached('WRAP_UP', { ...wrapUpOf(agent, now), threshold: wrapUpMinutes })),
    ...(isNobodyReady && noAgentReadyMinutes !== null ? [lasting('NO_AGENT_READY', noAgentReadyMinutes)] : []),
  ]
}

function wrapUpOf({ agentId, agentName, state, since }: SupervisedAgent, now: number) {
  const value = state === 'WRAP_UP' && since !== null ? minutesSince(Date.parse(since), now) : 0
  return { value, subject: { id: agentId, name: agentName } }
}

async function failing(ports: Reads, { workspaceId, section: { providerFailingMinutes } }: Watch): Promise<readonly Breach[]> {
  if (providerFailingMinutes === null) return []
  const parties = await readFailing(ports, workspaceId)
  return parties.map((subject) => ({ ...lasting('PROVIDER_FAILING', providerFailingMinutes), subject }))
}

/** Silence counts while the clinic is open, and while the service runs: before that no webhook could come. */
async function silence(ports: Reads, { workspaceId, section, now, watchedSince }: Watch, openAt: number): Promise<readonly Breach[]> {
  const { webhooksSilentMinutes: threshold } = section
  const { provider } = await ports.configuration.read(workspaceId, 'telephony')
  if (threshold === null || provider === null) return []
  const last = await readLastWebhook(ports, { workspaceId, provider: provider.id })
  const value = minutesSince(Math.max(openAt, watchedSince, last?.handledAt ?? 0), now)
  return reached('WEBHOOKS_SILENT', { value, threshold, subject: { id: provider.id, name: provider.id } })
}

type Measured = { readonly value: number; readonly threshold: number | null; readonly subject?: Breach['subject'] }

function reached(kind: Breach['kind'], { value, threshold, subject = null }: Measured): readonly Breach[] {
  return threshold === null || value < threshold ? [] : [{ kind, subject, value, threshold, forMs: 0 }]
}

function lasting(kind: Breach['kind'], minutes: number): Breach {
  return { kind, subject: null, value: minutes, threshold: minutes, forMs: minutes * minuteMs }
}

function minutesSince(moment: number, now: number): number {
  return Math.floor((now - moment) / minuteMs)
}
