import { noWaits, type Waits, waitsOf } from '../supervision/waits.ts'
import type { CallRow } from './call-row.ts'

/**
 * Sums over calls: whole numbers, so that sums of sums are exact. `waits` has the answered inbound calls by how long they waited: up to each
 * of `serviceLevels`, then longer. So the service level of a day that is over can be computed for each of them.
 */
export const sumNames = [
  'calls',
  'offered',
  'answered',
  'answeredInbound',
  'missed',
  'unreached',
  'timed',
  'talkSeconds',
  'handlingSeconds',
  'wrapUps',
  'wrapUpSeconds',
  'waitSeconds',
  'returned',
  'returnSeconds',
  'withoutOutcome',
] as const
type SumName = (typeof sumNames)[number]

export type Sums = { [Name in SumName]: number } & { readonly waits: number[]; readonly dispositions: Map<string, number> }

/** How many numbers `waits` has. */
export const serviceLevelSteps = noWaits.length

export function noSums(): Sums {
  return {
    calls: 0,
    offered: 0,
    answered: 0,
    answeredInbound: 0,
    missed: 0,
    unreached: 0,
    timed: 0,
    talkSeconds: 0,
    handlingSeconds: 0,
    wrapUps: 0,
    wrapUpSeconds: 0,
    waitSeconds: 0,
    returned: 0,
    returnSeconds: 0,
    withoutOutcome: 0,
    waits: [...noWaits],
    dispositions: new Map(),
  }
}

/** Adds `more` to `sums`. */
export function addSums(sums: Sums, more: Sums): void {
  for (const name of sumNames) sums[name] += more[name]
  addWaits(sums, more.waits)
  for (const [code, count] of more.dispositions) sums.dispositions.set(code, (sums.dispositions.get(code) ?? 0) + count)
}

function addWaits({ waits }: Sums, more: Waits): void {
  for (const [index, count] of more.entries()) waits[index] = (waits[index] ?? 0) + count
}

/** Adds a call. The conditions are those of today's figures in the supervisor's overview. */
export function addCall(
  sums: Sums,
  { direction, phase, waitSeconds, talkSeconds, wrapUpSeconds, returnSeconds, disposition }: CallRow,
): void {
  const isInbound = direction === 'INBOUND'
  const isHandled = phase === 'COMPLETED'
  const isAnswered = isHandled || phase === 'ANSWERED'
  sums.calls += 1
  sums.offered += Number(isInbound)
  sums.answered += Number(isAnswered)
  if (isInbound && isAnswered) {
    sums.answeredInbound += 1
    sums.waitSeconds += waitSeconds ?? 0
    addWaits(sums, waitsOf(waitSeconds))
  }
  if (phase === 'MISSED') sums[isInbound ? 'missed' : 'unreached'] += 1
  if (isHandled && talkSeconds !== null) {
    sums.timed += 1
    sums.talkSeconds += talkSeconds
    sums.handlingSeconds += talkSeconds + (wrapUpSeconds ?? 0)
  }
  if (wrapUpSeconds !== null) {
    sums.wrapUps += 1
    sums.wrapUpSeconds += wrapUpSeconds
  }
  if (returnSeconds !== null) {
    sums.returned += 1
    sums.returnSeconds += returnSeconds
  }
  if (disposition !== null) sums.dispositions.set(disposition, (sums.dispositions.get(disposition) ?? 0) + 1)
  else if (isHandled) sums.withoutOutcome += 1
}
