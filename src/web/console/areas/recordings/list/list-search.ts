import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type Feeling, feelings, type Outcome, outcomes, type Verdict, verdicts } from '../names.ts'

export const periods = ['today', 'week', 'month', 'days'] as const
export type Period = (typeof periods)[number]

/** What is looked for. It is in the address, so that it can be sent to somebody, and survives a visit to a recording. */
export type ListSearch = {
  /** `all`: every call with a recording, also those without an analysis. */
  readonly view?: 'all'
  readonly q?: string
  readonly agent?: string
  readonly outcome?: Outcome
  readonly verdict?: Verdict
  readonly criterion?: string
  readonly feeling?: Feeling
  /** Left out: at any time. `days`: from `from` to `to`. */
  readonly period?: Period
  /** `2026-11-21`. */
  readonly from?: string
  readonly to?: string
}

/** The parts of an address that are known; what is wrong in it is left out. */
function listSearch(given: Readonly<Record<string, unknown>>): ListSearch {
  const view = oneOf(given['view'], ['all'])
  const [outcome, verdict] = [oneOf(given['outcome'], outcomes), oneOf(given['verdict'], verdicts)]
  const [feeling, period] = [oneOf(given['feeling'], feelings), oneOf(given['period'], periods)]
  const [q, agent, criterion] = [textIn(given['q']), textIn(given['agent']), textIn(given['criterion'])]
  const [from, to] = [dayIn(given['from']), dayIn(given['to'])]
  return {
    ...(view && { view }),
    ...(q && { q }),
    ...(agent && { agent }),
    ...(outcome && { outcome }),
    ...(verdict && { verdict }),
    ...(criterion && { criterion }),
    ...(feeling && { feeling }),
    ...(period && { period }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

function oneOf<Value extends string>(given: unknown, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === given)
}

/** The router reads digits in an address as a number. */
function textIn(given: unknown): string | undefined {
  const text = typeof given === 'number' ? String(given) : given
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, 300) : undefined
}

function dayIn(given: unknown): string | undefined {
  return typeof given === 'string' && /^\d{4}-\d\d-\d\d$/.test(given) ? given : undefined
}

export function useListSearch() {
  const given = useSearch({ strict: false })
  const key = JSON.stringify(given)
  // The router may give an equal object again.
  const search = useMemo(() => listSearch({ ...given }), [key])
  const navigate = useNavigate()
  const change = useCallback(
    (changed: { readonly [Name in keyof ListSearch]: ListSearch[Name] | undefined }) =>
      void navigate({ to: '/recordings', search: listSearch({ ...search, ...changed }), replace: true }),
    [navigate, search],
  )
  return { search, change }
}

/** The moments between which calls began. */
export function rangeOf({ period, from, to }: ListSearch, now = new Date()): { readonly from: Date | null; readonly to: Date | null } {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  const daysAgo = (days: number): Date => new Date(midnight.getFullYear(), midnight.getMonth(), midnight.getDate() - days)
  if (period === 'today') return { from: midnight, to: null }
  if (period === 'week') return { from: daysAgo(6), to: null }
  if (period === 'month') return { from: daysAgo(29), to: null }
  if (period !== 'days') return { from: null, to: null }
  return { from: from === undefined ? null : new Date(`${from}T00:00`), to: to === undefined ? null : new Date(`${to}T23:59:59.999`) }
}
