import { z } from 'zod'
import { addCallFacts, readCallsStarted } from '../calls/state/call-state-store.ts'
import { factsOf } from '../calls/state/call-facts.ts'
import { addMissedCall, markCalledBack } from '../calls/missed-calls/missed-call-store.ts'
import type { PlatformCall } from '../../ports/call-records.ts'
import { numberToCall } from '../calls/state/number-to-call.ts'
import { factsOfRecord } from '../calls/state/facts-of-record.ts'
import { isoMoment } from '../../kernel/clock.ts'
import type { Ports } from '../../ports/ports.ts'
import { asService } from '../../ports/record-access.ts'
import type { ClinicDay } from '../../kernel/clinic-day.ts'
import { Family } from '../../ports/stored/family.ts'
import { LeaseOf } from '../../ports/stored/lease-of.ts'
import { markDayRebuilt, readCompleteness } from './day-completeness.ts'
import { callsAddedTopic } from './workspace-stats.ts'

export type RebuildPorts = Pick<Ports, 'callRecords' | 'clock' | 'log' | 'notifications' | 'store'>

const perPage = 200

export const rebuildingLease = new LeaseOf({
  name: 'supervision-rebuilding',
  key: (workspaceId: string) => [workspaceId],
  what: 'a rebuild under way',
})

/**
 * The start of the last call that was read, a space, and how many calls with this start were read: an import may give thousands the same one.
 */
export const rebuildPositions = new Family({
  name: 'supervision-rebuild-position',
  key: ({ workspaceId, day }: { readonly workspaceId: string; readonly day: ClinicDay }) => [workspaceId, day.date],
  schema: z.string(),
  form: 'TEXT',
  lifetime: 3 * 86_400_000,
  about: 'workspace',
  what: 'how far a day is rebuilt',
})
/** An older call whose record has no end has ended without one. */
const maxOpenMs = 4 * 3_600_000

/**
 * Reads the day's calls from the platform, with the workspace's API key, if the store does not have all of them. Facts from the platform
 * rank below all facts from the provider, so updates may arrive meanwhile. One instance at a time rebuilds; an interrupted rebuild continues
 * where it stopped. Errors: the platform's, NOT_CONFIGURED without an API key, STORE_UNAVAILABLE.
 */
export async function rebuildDay(ports: RebuildPorts, workspaceId: string, day: ClinicDay): Promise<void> {
  const { isComplete, since } = await readCompleteness(ports, { workspaceId, day })
  if (isComplete) return
  const { notifications, log } = ports
  await using lease = await rebuildingLease.acquire(ports, workspaceId, { log })
  if (!lease) return
  try {
    await addPlatformCalls(ports, { workspaceId, day, lost: lease.lost })
    await addMissedCalls(ports, workspaceId, day)
    await markDayRebuilt(ports, { workspaceId, day }, since)
    await rebuildPositions.delete(ports, { workspaceId, day })
  } finally {
    await notifications.publish({ topic: callsAddedTopic, workspaceId, payload: '' })
  }
}

type Rebuild = { readonly workspaceId: string; readonly day: ClinicDay; readonly lost: AbortSignal }

/** Page by page, newest first. */
async function addPlatformCalls(ports: RebuildPorts, { workspaceId, day, lost }: Rebuild): Promise<void> {
  const { callRecords } = ports
  const key = { workspaceId, day }
  const [stored = isoMoment(day.to), count = '0'] = (await rebuildPositions.read(ports, key))?.split(' ') ?? []
  let position = { at: stored, read: Number(count) }
  for (;;) {
    lost.throwIfAborted()
    const { at, read } = position
    const page = await callRecords.search(asService(workspaceId, 'INSIGHTS'), { from: isoMoment(day.from), to: at, skip: read }, perPage)
    for (const record of page) await addRecord(ports, workspaceId, record)
    const oldest = page.at(-1)?.startedAt ?? null
    if (page.length < perPage || oldest === null) return
    const same = page.filter(({ startedAt }) => startedAt === oldest).length
    position = { at: oldest, read: oldest === at ? read + same : same }
    await rebuildPositions.write(ports, key, { value: `${position.at} ${position.read}` })
  }
}

/** With the lowest rank, so that the order of record and updates makes no difference. */
async function addRecord(ports: RebuildPorts, workspaceId: string, record: PlatformCall): Promise<void> {
  const { ucid, startedAt, endedAt } = record
  if (ucid === null || startedAt === null) return
  if (endedAt === null && ports.clock.now() - Date.parse(startedAt) > maxOpenMs) return
  await addCallFacts(ports, { workspaceId, ucid }, factsOf(factsOfRecord(record), { source: 'GUESSED', receivedAt: 0 }))
}

/** Adds the day's missed calls, then marks those that were called back. */
async function addMissedCalls(ports: RebuildPorts, workspaceId: string, day: ClinicDay): Promise<void> {
  for await (const call of readCallsStarted(ports, workspaceId, day)) {
    const { ucid, phase, direction, phoneNumber, dialledNumber, did, campaignName, leadId, startedAt, endedAt } = call
    const at = endedAt ?? startedAt
    if (phase !== 'MISSED' || direction !== 'INBOUND' || at === null) continue
    await addMissedCall(ports, workspaceId, { ucid, phoneNumber, dialledNumber, did, campaignName, leadId, startedAt, at })
  }
  for await (const call of readCallsStarted(ports, workspaceId, day)) {
    const { ucid, direction, answeredAt, agentRecordId: agentId } = call
    const phoneNumber = numberToCall(call)
    if (answeredAt === null || phoneNumber === null) continue
    await markCalledBack(ports, workspaceId, { ucid, phoneNumber, at: answeredAt, isOutbound: direction === 'OUTBOUND', agentId })
  }
}
