/** Epoch milliseconds. */
export type Span = { readonly from: number; readonly to: number }
type TimedState = { readonly state: string; readonly from: string; readonly to: string | null }
type TimedCall = {
  readonly startedAt: string
  readonly answeredAt: string | null
  readonly talkSeconds: number | null
  readonly phase: string
}
type Day = { readonly states: readonly TimedState[]; readonly calls: readonly TimedCall[]; readonly timeZone: string }
const [minuteMs, hourMs] = [60_000, 3_600_000]

/** The state that goes on lasts until now. */
export function spanOfState({ from, to }: Pick<TimedState, 'from' | 'to'>, now: number): Span {
  return { from: Date.parse(from), to: to === null ? Math.max(now, Date.parse(from)) : Date.parse(to) }
}

/** From the first ring to the end of the talk, as far as it is known. */
export function spanOfCall({ startedAt, answeredAt, talkSeconds, phase }: TimedCall, now: number): Span {
  const from = Date.parse(startedAt)
  if (answeredAt === null) return { from, to: from + 15_000 }
  const end = Date.parse(answeredAt) + (talkSeconds ?? 0) * 1_000
  return { from, to: phase === 'ANSWERED' ? Math.max(now, end) : end }
}

/** The part of the day with something in it, in whole hours of the clinic's time. Null if there is nothing. */
export function shownSpan({ states, calls, timeZone }: Day, now: number): Span | null {
  const seen = states.filter(({ state }) => state !== 'SIGNED_OUT')
  const spans = [...seen.map((state) => spanOfState(state, now)), ...calls.map((call) => spanOfCall(call, now))]
  if (spans.length === 0) return null
  const [from, to] = [Math.min(...spans.map((span) => span.from)), Math.max(...spans.map((span) => span.to))]
  const start = from - intoHour(from, timeZone)
  return { from: start, to: start + Math.max(1, Math.ceil((to - start) / hourMs)) * hourMs }
}

/** The time since the last full hour there: some zones are half an hour off. */
function intoHour(moment: number, timeZone: string): number {
  const minute = Number(new Intl.DateTimeFormat('en', { minute: 'numeric', timeZone }).format(moment))
  return minute * minuteMs + (moment % minuteMs)
}

/** The full hours of a span, at most about twelve. */
export function hoursOf({ from, to }: Span): readonly number[] {
  const hours = Math.round((to - from) / hourMs)
  const step = Math.ceil(hours / 12)
  return Array.from({ length: Math.floor(hours / step) + 1 }, (_, index) => from + index * step * hourMs)
}

/** Where a span is in another one: in percent, as a style. */
export function placeOf({ from, to }: Span, shown: Span): { readonly left: string; readonly width: string } {
  const percent = (part: number): number => Math.min(100, Math.max(0, (100 * part) / (shown.to - shown.from)))
  const left = percent(from - shown.from)
  return { left: `${left}%`, width: `${percent(to - shown.from) - left}%` }
}

/** Seconds in each state. */
export function secondsByState({ states }: Pick<Day, 'states'>, now: number): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const state of states) {
    const { from, to } = spanOfState(state, now)
    sums.set(state.state, (sums.get(state.state) ?? 0) + (to - from) / 1_000)
  }
  return sums
}
