import { isUuid } from '../../kernel/ids.ts'
import { oneLine } from '../../kernel/text.ts'
import { momentOfLocal } from '../../kernel/time-zone.ts'
import { textOfMarkdown } from './markdown.ts'

/** Readers for fields whose type differs between workspaces. Each takes any value, and returns null if it finds none. */

const longestText = 200
const mostEntries = 20

/** One line of text, from a text, a number, a full name, a link, rich text, a related record's name, or several of them. The id of a record is no text. */
export function readText(value: unknown): string | null {
  const text = Array.isArray(value) ? value.map(flat).filter(Boolean).join(', ') : flat(value)
  return text === '' || isUuid(text) ? null : text.slice(0, longestText).trim()
}

function flat(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  const text = typeof value === 'string' ? value : textParts(value)
  return oneLine(text)
}

function textParts(value: unknown): string {
  const part = (name: string): string => (typeof partOf(value, name) === 'string' ? String(partOf(value, name)) : '')
  const fullName = `${part('firstName')} ${part('lastName')}`.trim()
  const related = partOf(value, 'name')
  return (
    fullName ||
    (typeof related === 'object' ? textParts(related) : part('name')) ||
    textOfMarkdown(part('markdown')) ||
    part('primaryLinkLabel') ||
    part('primaryLinkUrl')
  )
}

/** A text; a choice such as `GENERAL_MEDICINE` in words. Short words in capitals (ENT) stay. */
export function readChoice(value: unknown): string | null {
  const text = readText(value)
  if (text === null || !/^[\p{Lu}\p{N}_, ]+$/u.test(text)) return text
  return text.replaceAll('_', ' ').replaceAll(/\p{Lu}{5,}/gu, capitalised)
}

/** Several entries, from a list, several choices, or a text that separates them by commas and the like; none twice. */
export function readList(value: unknown): readonly string[] {
  const texts = Array.isArray(value) ? value.map(flat) : flat(value).split(/[,;/|&+]|\s(?:and|und|et|y)\s/iu)
  const entries = texts.flatMap((text) => readText(text) ?? []).map((entry) => (isChoice(entry) ? inWords(entry) : entry))
  return [...new Map(entries.map((entry) => [entry.toLowerCase(), entry])).values()].slice(0, mostEntries)
}

function isChoice(text: string): boolean {
  return /^\p{Lu}[\p{Lu}\p{N}_]+$/u.test(text)
}

function inWords(choice: string): string {
  return choice.replaceAll('_', ' ').replaceAll(/\p{Lu}+/gu, capitalised)
}

function capitalised(word: string): string {
  return word.charAt(0) + word.slice(1).toLowerCase()
}

/** An amount, from a number, a currency field, or a text with exactly one number: `₹ 1,20,000.50`, `Rs. 500/-`. Never below zero. */
export function readAmount(value: unknown): number | null {
  const micros = partOf(value, 'amountMicros')
  const amount = micros === undefined ? plainAmount(value) : scaled(plainAmount(micros))
  return amount === null || amount < 0 || !Number.isFinite(amount) ? null : amount
}

function scaled(micros: number | null): number | null {
  return micros === null ? null : micros / 1_000_000
}

/** A longer text is a story, not an amount. */
const longestAmount = 100

function plainAmount(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.length > longestAmount) return null
  const [only, ...more] = value.match(/-?\d[\d.,']*/g) ?? []
  return only === undefined || more.length > 0 ? null : Number(withoutGroups(only.replace(/[.,']+$/, '')))
}

/** `1,20,000.50`, `1.200,50`, `1'200`: of points and commas the last parts the fraction, unless it parts thousands. */
function withoutGroups(number: string): string {
  const [points, commas] = [number.split('.').length - 1, number.split(',').length - 1]
  const onlyMark = points === 1 && commas === 0 ? '.' : commas === 1 && points === 0 && !/,\d{3}$/.test(number) ? ',' : null
  const mark = points > 0 && commas > 0 ? (number.lastIndexOf('.') > number.lastIndexOf(',') ? '.' : ',') : onlyMark
  const end = mark === null ? number.length : number.lastIndexOf(mark)
  return `${number.slice(0, end).replaceAll(/[.,']/g, '')}.${number.slice(end + 1).replaceAll(/[.,']/g, '')}0`
}

const yes = new Set(['true', 'yes', 'y', '1', 'active', 'available', 'on'])

/** A boolean, from one or from a word; null if there is no value. Only clear words such as `yes` are true. */
export function readFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  const text = readText(value)
  return text === null ? null : yes.has(text.toLowerCase())
}

const lastMoment = Date.UTC(9999, 0, 1)

/** A moment in epoch milliseconds; one without an offset is in the clinic's time zone. */
export function readMoment(value: unknown, timeZone: string): number | null {
  if (typeof value !== 'string') return null
  const parts = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/i.exec(value.trim())
  if (!parts) return null
  const [, date = '', time = '00:00', offset] = parts
  const at = Date.parse(`${date}T${time}${offset?.replace(/(\d\d)(\d\d)$/, '$1:$2') ?? 'Z'}`)
  const isPlausible = at >= 0 && at < lastMoment
  if (!isPlausible) return null
  return offset === undefined ? momentOfLocal(at, timeZone) : at
}

/** The id of another record. */
export function readId(value: unknown): string | null {
  return typeof value === 'string' && isUuid(value) ? value.toLowerCase() : null
}

function partOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined
}
