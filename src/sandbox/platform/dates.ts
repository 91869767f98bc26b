import { dataError } from './errors.ts'

const momentForm = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?)?$/
const strictForm = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)?)?$/

/** A written moment in UTC with milliseconds; without a zone it is UTC. Undefined if it is no moment; years beyond 1 to 9999 are refused by the database. */
export function momentOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (/^(?:0000|\+0\d{5})-\d\d-\d\dT/.test(value)) throw dataError()
  const [, day, time = '00:00', seconds = '00', fraction = '', zone = 'Z'] = momentForm.exec(value) ?? []
  if (day === undefined || dayOf(day) === undefined || time > '23:59' || seconds > '60') return undefined
  const moment = new Date(`${day}T${time}:${seconds === '60' ? '59' : seconds}${fraction.slice(0, 4)}${zone.toUpperCase()}`)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

/** A moment in a filter: only the forms of ISO 8601 with capital letters and at most milliseconds. */
export function strictMomentOf(value: unknown): string | undefined {
  return typeof value === 'string' && strictForm.test(value) && !value.startsWith('0000') ? momentOf(value) : undefined
}

/** `2030-01-05` of a day as people and machines write it, or of a moment in UTC; undefined for anything else. */
export function dayOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const [, year, month = '', date = ''] =
    /^(\d{4})-(\d\d?)-(\d\d?)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?$/.exec(value) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(value) ?? []
  if (year === undefined || year === '0000') return undefined
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const moment = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day) ? day : undefined
}
