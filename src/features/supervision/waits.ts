import { serviceLevels } from '../../ports/configuration/telephony.ts'

export type ServiceLevelSeconds = (typeof serviceLevels)[number]

/** How many answered inbound calls waited for how long: up to each of `serviceLevels`, then longer. So the level can be changed later. */
export type Waits = readonly number[]

export const noWaits: Waits = Object.freeze(Array.from({ length: serviceLevels.length + 1 }, () => 0))

/** The waits of one call. An answer without a known wait was at once; one after the longest level is in the last place (-1). */
export function waitsOf(waitSeconds: number | null): Waits {
  const level = serviceLevels.findIndex((limit) => (waitSeconds ?? 0) <= limit)
  return noWaits.with(level, 1)
}

export function plusWaits(one: Waits, other: Waits, sign: 1 | -1 = 1): Waits {
  return one.map((count, index) => count + sign * (other[index] ?? 0))
}

/** The calls that waited at most so long. */
export function answeredWithin(waits: Waits, seconds: ServiceLevelSeconds): number {
  return waits.slice(0, serviceLevels.indexOf(seconds) + 1).reduce((sum, count) => sum + count, 0)
}

/** The part of the inbound calls that ended or were answered, which was answered in time: 0 to 1. Null without such a call. */
export function serviceLevelOf(
  answeredInTime: number,
  { answeredInbound, missed }: { answeredInbound: number; missed: number },
): number | null {
  const ended = answeredInbound + missed
  return ended === 0 ? null : answeredInTime / ended
}

/** Whole seconds. Null if one of the moments is unknown. */
export function secondsBetween(from: string | null, to: string | null): number | null {
  if (from === null || to === null) return null
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000))
}
