import { hoursAround } from '../chart/hours.ts'
import type { Asked } from './asked.ts'
import type { HistoryRow } from './history-query.ts'
import { datesOf } from '../range.ts'

/** A row with what makes it one. */
export type Group = HistoryRow & { readonly key: string }

/** The rows of a grouping; days and hours without calls too, because they are a part of the picture. */
export function filledGroups(rows: readonly HistoryRow[], { by, from, to }: Pick<Asked, 'by' | 'from' | 'to'>): readonly Group[] {
  if (by === 'DAY') {
    const found = new Map(rows.map((row) => [row.date, row]))
    return datesOf({ from, to }).map((date) => ({ ...(found.get(date) ?? noCalls), date, key: date }))
  }
  if (by === 'HOUR') {
    const found = new Map(rows.map((row) => [row.hour, row]))
    const hours = hoursAround(rows.flatMap(({ hour }) => (hour === null ? [] : { hour })))
    return hours.map((hour) => ({ ...(found.get(hour) ?? noCalls), hour, key: String(hour) }))
  }
  const most = rows.toSorted((one, other) => other.calls - one.calls)
  return most.map((row) => ({ ...row, key: String(by === 'AGENT' ? row.agentId : row.campaignName) }))
}

const noCalls: HistoryRow = {
  date: null,
  hour: null,
  agentId: null,
  agentName: null,
  campaignName: null,
  calls: 0,
  offered: 0,
  answered: 0,
  answeredInbound: 0,
  answeredInTime: 0,
  missed: 0,
  serviceLevel: null,
  answerRate: null,
  averageWaitSeconds: null,
  averageTalkSeconds: null,
  averageHandlingSeconds: null,
  returned: 0,
  averageReturnSeconds: null,
}
