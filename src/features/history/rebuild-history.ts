import { clinicDayAt } from '../../kernel/clinic-day.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { PlatformCall } from '../../ports/call-records.ts'
import { asService } from '../../ports/record-access.ts'
import { factsOf, type KnownCall, knownCall, mergeFacts } from '../calls/state/call-facts.ts'
import { readManyFacts } from '../calls/state/call-state-store.ts'
import { factsOfRecord } from '../calls/state/facts-of-record.ts'
import { numberToCall } from '../calls/state/number-to-call.ts'
import { readMissedCalls } from '../calls/missed-calls/missed-call-store.ts'
import type { SupervisionPorts } from '../supervision/supervision-ports.ts'
import { zoneAt } from './clinic-zones.ts'
import { type HistoryProgress, maxHistoryDays, rebuiltRowDays, writeProgress } from './history-store.ts'
import { type Place, type PutCall, putCalls } from './put-calls.ts'

const perPage = 200
/** An older call whose record has no end has ended without one. */
const maxOpenMs = 4 * 3_600_000
const dayMs = 86_400_000
const maxInterruptionMs = (rebuiltRowDays - 1) * dayMs

/** As long as a missed call is stored. */
const returnedWithinMs = 30 * dayMs
const numbersPerRead = 50
const readsPerPage = 5

/**
 * Reads a page of the calls from before the history began from the platform, with the workspace's API key, the latest first. It goes on where it
 * stopped. Facts from the provider that are stored rank above the platform's. Errors: the platform's, STORE_UNAVAILABLE.
 */
export async function rebuildHistory(
  ports: Pick<SupervisionPorts, 'agentEntries' | 'callRecords' | 'clock' | 'log' | 'store'>,
  place: Place,
  progress: HistoryProgress,
): Promise<void> {
  const { workspaceId } = place
  const { since } = progress
  const now = ports.clock.now()
  const position = positionOf(progress, now)
  if (position === null) return
  const { readTo, read } = position
  const from = since - maxHistoryDays * dayMs
  const query = { from: isoMoment(from), to: isoMoment(readTo - 1), skip: read }
  const page = await ports.callRecords.search(asService(workspaceId, 'RECORDINGS'), query, perPage).catch((error: unknown) => {
    // Without an API key there is nothing to read.
    if (error instanceof AppError && error.reason === 'NOT_CONFIGURED') return null
    throw error
  })
  if (page === null) return
  await putCalls(ports, { ...place, from }, await callsOf(ports, workspaceId, page))
  await writeProgress(ports, workspaceId, { ...progress, ...positionAfter(page, position), readAt: now })
}

type Position = { readonly readTo: number; readonly read: number }

/** After a long interruption the calls of the day that it stopped in are no longer stored: the sums of its hours would lack them. */
function positionOf({ readTo, read, readAt, zones }: HistoryProgress, now: number): Position | null {
  if (readTo === null) return null
  if (now - readAt < maxInterruptionMs) return { readTo, read }
  return { readTo: clinicDayAt(readTo - 1, zoneAt(zones, readTo - 1)).to, read: 0 }
}

/** More calls than one page may have begun in the same millisecond. */
function positionAfter(page: readonly PlatformCall[], { readTo, read }: Position): Pick<HistoryProgress, 'readTo' | 'read'> {
  const last = page.at(-1)?.startedAt ?? null
  if (page.length < perPage || last === null) return { readTo: null, read: 0 }
  const same = page.filter(({ startedAt }) => startedAt === last).length
  const next = Date.parse(last) + 1
  return { readTo: next, read: next === readTo ? read + same : same }
}

async function callsOf(
  ports: Pick<SupervisionPorts, 'callRecords' | 'clock' | 'store'>,
  workspaceId: string,
  page: readonly PlatformCall[],
): Promise<readonly PutCall[]> {
  const now = ports.clock.now()
  const records = page.flatMap((record) => {
    const { ucid, startedAt, endedAt } = record
    const isLost = endedAt === null && startedAt !== null && now - Date.parse(startedAt) > maxOpenMs
    return ucid === null || startedAt === null || isLost ? [] : [{ ...record, ucid }]
  })
  const facts = await readManyFacts(
    ports,
    workspaceId,
    records.map(({ ucid }) => ucid),
  )
  const calls = records.map((record, index) => {
    const recorded = factsOf(factsOfRecord(record), { source: 'GUESSED', receivedAt: 0 })
    return knownCall(record.ucid, mergeFacts(recorded, facts[index] ?? {}))
  })
  const missed = await readReturned(ports, workspaceId, calls.filter(isMissed))
  return calls.map((call) => ({ ucid: call.ucid, call, missed: missed.get(call.ucid) ?? null, starts: [] }))
}

function isMissed({ phase, direction }: KnownCall): boolean {
  return phase === 'MISSED' && direction === 'INBOUND'
}

type Missed = NonNullable<PutCall['missed']>

/** As the store knows it; else by the first answered call with the same number. */
async function readReturned(
  ports: Pick<SupervisionPorts, 'callRecords' | 'clock' | 'store'>,
  workspaceId: string,
  calls: readonly KnownCall[],
): Promise<ReadonlyMap<string, Missed>> {
  const items = await readMissedCalls(
    ports,
    workspaceId,
    calls.map(({ ucid }) => ucid),
  )
  const found = new Map<string, Missed>()
  const open: OpenCall[] = []
  for (const [index, call] of calls.entries()) {
    const { ucid, startedAt, endedAt } = call
    const phoneNumber = numberToCall(call)
    const item = items[index] ?? null
    const at = endedAt ?? startedAt ?? ''
    if (item?.calledBackAt || phoneNumber === null) found.set(ucid, { at: item?.at ?? at, returnedAt: item?.calledBackAt ?? null })
    else open.push({ ucid, phoneNumber, at })
  }
  for (let from = 0; from < open.length; from += numbersPerRead) {
    for (const [ucid, missed] of await searchAnswers(ports, workspaceId, open.slice(from, from + numbersPerRead))) found.set(ucid, missed)
  }
  return found
}

type OpenCall = { readonly ucid: string; readonly phoneNumber: string; readonly at: string }

async function searchAnswers({ callRecords }: Pick<SupervisionPorts, 'callRecords'>, workspaceId: string, calls: readonly OpenCall[]) {
  const found = new Map<string, Missed>(calls.map(({ ucid, at }) => [ucid, { at, returnedAt: null }]))
  const moments = calls.map(({ at }) => at).toSorted()
  const to = isoMoment(Date.parse(moments.at(-1) ?? '') + returnedWithinMs)
  let from = moments[0] ?? ''
  for (let reads = 0; reads < readsPerPage; reads += 1) {
    const open = calls.filter(({ ucid }) => !found.get(ucid)?.returnedAt)
    if (open.length === 0) break
    const phoneNumbers = [...new Set(open.map(({ phoneNumber }) => phoneNumber))]
    const page = await callRecords.answered(asService(workspaceId, 'RECORDINGS'), { phoneNumbers, from, to }, perPage)
    for (const { ucid, phoneNumber, at } of open) {
      const until = isoMoment(Date.parse(at) + returnedWithinMs)
      const answer = page.find(
        (each) => each.phoneNumber === phoneNumber && each.answeredAt !== null && each.answeredAt >= at && each.answeredAt <= until,
      )
      if (answer?.answeredAt) found.set(ucid, { at, returnedAt: answer.answeredAt })
    }
    const last = page.at(-1)?.answeredAt ?? null
    if (page.length < perPage || last === null) break
    // A whole page of one millisecond: the next one begins after it.
    from = last === from ? isoMoment(Date.parse(last) + 1) : last
  }
  return found
}
