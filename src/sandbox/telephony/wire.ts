import { z } from 'zod'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'

/** Fields of a JSON body or of a form, as the caller sent them. */
export type WireFields = Readonly<Record<string, unknown>>

const fieldsSchema = z.record(z.string(), z.unknown())
const numberMark = '\u0000number:'
const indiaOffsetMs = 5.5 * 3_600_000

/** Stands for an identifier that the provider writes as a bare JSON number, although it exceeds 2^53. */
export function bareNumber(digits: string): string {
  return `${numberMark}${digits}`
}

/** JSON in which the values made by `bareNumber` are numbers, digit for digit. */
export function wireJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"\\u0000number:(\d+)"/g, '$1')
}

export function wireAnswer(body: unknown, status = 200): StandInAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: wireJson(body) }
}

/** A JSON object body; null for anything else. */
export function jsonFields(request: StandInRequest): WireFields | null {
  try {
    return fieldsSchema.parse(JSON.parse(request.body.toString()))
  } catch {
    return null
  }
}

export function formFields(request: StandInRequest): WireFields {
  return Object.fromEntries(new URLSearchParams(request.body.toString()))
}

export function textOf(fields: WireFields, name: string): string {
  const value = fields[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

export function headerOf(request: StandInRequest, name: string): string {
  const value = request.headers[name.toLowerCase()]
  return typeof value === 'string' ? value.trim() : ''
}

/** `YYYY-MM-DD HH:MM:SS` in India Standard Time, without a zone, as the provider writes moments. */
export function indiaTime(epochMs: number): string {
  return new Date(epochMs + indiaOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** `HH:MM:SS`. */
export function clockDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

/** Indian numbers as `0` and ten digits; others stay as they are. */
export function nationalNumber(number: string): string {
  const national = /^(?:\+?91|0)?(\d{10})$/.exec(number.replaceAll(/[\s()-]/g, ''))?.[1]
  return national === undefined ? number : `0${national}`
}

export function sameNumber(one: string, other: string): boolean {
  const [a, b] = [one, other].map((number) => number.replaceAll(/\D/g, '').slice(-10))
  return a !== '' && a === b
}
