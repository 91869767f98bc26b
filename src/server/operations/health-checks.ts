import { statfs } from 'node:fs/promises'
import { z } from 'zod'
import { readReconciliationStatus } from '../../features/calls/reconciliation/read-reconciliation-status.ts'
import type { CallPorts } from '../../features/calls/state/call-ports.ts'
import { readLiveEvents } from '../../features/calls/live-events/read-live-events.ts'
import { readRecordingQueue } from '../../features/recordings/automatic/read-queue.ts'
import type { Breakers } from '../../kernel/breakers.ts'
import type { UpstreamParty } from '../../kernel/circuit-breaker.ts'
import type { AccountFault } from '../../kernel/refusal.ts'
import { newId } from '../../kernel/ids.ts'
import type { DueWork } from '../../ports/due/due-work.ts'
import type { EventBus } from '../../ports/event-bus.ts'
import { outboxBound } from '../../ports/outbox.ts'
import { Family } from '../../ports/stored/family.ts'
import type { HealthCheck, PartReport } from './health.ts'

/** Below it SQLite and the configuration may soon not be written. */
const leastFreeBytes = 100 * 1_048_576
/** Longer than a consumer's time limit and its first repetitions. */
const stalledMs = 5 * 60_000

export const testWrites = new Family({
  name: 'health',
  scope: 'installation',
  key: (instance: string) => [instance],
  schema: z.number(),
  lifetime: 60_000,
  about: 'nothing',
  what: 'the last test write of an instance',
})

type HealthSettings = {
  readonly dataDir: string
  readonly redisUrl: string | null
  readonly kafka: object | null
  readonly checkPlatform: (signal: AbortSignal) => Promise<unknown>
  readonly breakers: Breakers
  readonly dueWork: Pick<DueWork, 'figures'>
}

/** The checks of the parts that `/health` shows. */
export function healthChecks(
  ports: Parameters<typeof readLiveEvents>[0] & Pick<CallPorts, 'bus' | 'clock' | 'servedWorkspaces' | 'store' | 'workspaces'>,
  { dataDir, redisUrl, kafka, checkPlatform, breakers, dueWork }: HealthSettings,
): Readonly<Record<string, HealthCheck>> {
  const instance = newId()
  return {
    platform: async (signal) => void (await checkPlatform(signal)),
    // By a write: a full disk or memory still answers reads.
    store: () => testWrites.write(ports, instance, { value: ports.clock.now() }),
    // With Redis nothing on the disk grows, and DATA_DIR need not exist.
    ...(redisUrl === null ? { disk: () => checkDisk(dataDir) } : {}),
    bus: () => checkBus(ports.bus),
    dueWork: () => checkDueWork(dueWork),
    upstreams: async () => checkUpstreams(breakers),
    calls: () => checkCalls(ports),
    liveEvents: () => checkLiveEvents(ports),
    recordings: () => checkRecordings(ports),
    ...(kafka === null ? {} : { broker: () => ports.bus.ping() }),
  }
}

const causes = { failures: 'it fails', silence: 'it does not answer' } as const

const faults: Readonly<Record<AccountFault, string>> = {
  credit: 'the credit of its account is used up: top it up',
  key: 'it does not take the key: correct it',
  model: 'it does not know the chosen model: choose another',
}

/** The upstreams that get no calls, or refuse the account; in the detail all parties, without their workspaces, because anybody may ask. */
export function checkUpstreams({ paused, refusing, states }: Pick<Breakers, 'paused' | 'refusing' | 'states'>): PartReport {
  const reasons = [
    ...paused().map((upstream) => `${nameOf(upstream)} gets no requests at present, because ${causes[upstream.cause]}`),
    ...refusing().map((upstream) => `${nameOf(upstream)} refuses all requests, because ${faults[upstream.fault]}`),
  ]
  const problem = reasons.length === 0 ? null : reasons.slice(0, maxNamed).join('. ')
  return { problem, detail: states() }
}

const maxNamed = 20

function nameOf({ who, workspaceId }: UpstreamParty): string {
  return workspaceId === null ? who : `${who} of workspace ${workspaceId}`
}

/** Whether the disk of the data directory has room. */
export async function checkDisk(dataDir: string): Promise<PartReport & { readonly freeBytes: number }> {
  const { bavail, bsize } = await statfs(dataDir)
  const freeBytes = bavail * bsize
  const problem = freeBytes < leastFreeBytes ? 'The disk of DATA_DIR has less than 100 MB left: make room' : null
  return { problem, freeBytes, detail: { freeBytes } }
}

/** Whether events are delivered. Errors: STORE_UNAVAILABLE. */
export async function checkBus(bus: Pick<EventBus, 'depth'>): Promise<PartReport> {
  const depth = await bus.depth()
  const receivers = Object.entries(depth.receivers)
  const full = receivers.filter(([, { events }]) => events >= outboxBound.maxEvents).map(([name]) => name)
  const stalled = receivers.filter(([, { events, oldestAgeMs }]) => events > 0 && oldestAgeMs > stalledMs).map(([name]) => name)
  const problems = [
    ...(full.length > 0 ? [`The outbox is full, and new events are refused. Receivers: ${full.join(', ')}`] : []),
    ...(stalled.length > 0 ? [`Events have waited for more than five minutes. Receivers: ${stalled.join(', ')}`] : []),
    ...(depth.deadLetters > 0 ? [`Dead letters are stored (${depth.deadLetters}): correct their cause, then replay them`] : []),
  ]
  return { problem: problems.length > 0 ? problems.join('. ') : null, detail: depth }
}

/** Whether what is to be done later is done in time. Errors: STORE_UNAVAILABLE. */
export async function checkDueWork(dueWork: Pick<DueWork, 'figures'>): Promise<PartReport> {
  const figures = await dueWork.figures()
  const late = Object.entries(figures).filter(([, { oldestMs }]) => oldestMs > stalledMs)
  const named = late.map(([name, { oldestMs, failing }]) => `${name} (${Math.floor(oldestMs / 60_000)} minutes, ${failing} failing)`)
  const problem =
    late.length === 0 ? null : `Work is late, because it fails or waits: ${named.join(', ')}. The log has why (due-work.failed)`
  return { problem, detail: figures }
}

/** Rounds of the comparison come every five minutes. */
const lateRounds = 3

async function checkCalls(ports: Pick<CallPorts, 'clock' | 'store'>): Promise<PartReport> {
  const status = await readReconciliationStatus(ports)
  const isFailing = status !== null && status.failures >= lateRounds
  const problem = isFailing ? `Calls cannot be compared with the provider's records: ${status.errors.join('; ')}` : null
  return { problem, ...(status && { detail: status }) }
}

async function checkLiveEvents(ports: Parameters<typeof problemOf>[0] & Pick<CallPorts, 'servedWorkspaces'>): Promise<PartReport> {
  const { workspaces } = ports.servedWorkspaces
  const problems = await Promise.all(workspaces.map(async (subdomain) => problemOf(ports, subdomain)))
  const found = problems.filter((problem) => problem !== null)
  return { problem: found.length > 0 ? found.join('. ') : null }
}

async function problemOf(
  ports: Parameters<typeof readLiveEvents>[0] & Pick<CallPorts, 'workspaces'>,
  subdomain: string,
): Promise<string | null> {
  const workspaceId = await ports.workspaces.idOf(subdomain)
  if (workspaceId === null) return null
  const { status, problem } = await readLiveEvents(ports, workspaceId)
  if (status !== 'FAILED' && status !== 'NO_PUBLIC_ADDRESS') return null
  return `${subdomain} gets no live events of calls: ${problem}`
}

async function checkRecordings(ports: Pick<CallPorts, 'clock' | 'store'>): Promise<PartReport> {
  const queue = await readRecordingQueue(ports)
  const problem = queue.isFull ? 'So many recordings wait for their analysis that the oldest are given up' : null
  return { problem, detail: queue }
}
