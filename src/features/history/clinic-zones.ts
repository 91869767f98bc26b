import type { HistoryProgress } from './history-store.ts'

/** A call is counted in the zone of its time, so it has one hour, also when the clinic's zone changes later. */
export type ClinicZones = HistoryProgress['zones']

const maxZones = 50

/** The zones when the clinic has this one now. */
export function zonesWith(zones: ClinicZones, { timeZone, now }: { readonly timeZone: string; readonly now: number }): ClinicZones {
  if (zones.at(-1)?.timeZone === timeZone) return zones
  return [...zones.slice(1 - maxZones), { from: zones.length === 0 ? 0 : now, timeZone }]
}

export function zoneAt(zones: ClinicZones, moment: number): string {
  return (zones.findLast(({ from }) => from <= moment) ?? zones[0])?.timeZone ?? 'UTC'
}
