import { momentText } from '../../../i18n/day-text.ts'

export const momentChoices = ['HOUR', 'THREE_HOURS', 'TOMORROW', 'OTHER'] as const
export type MomentChoice = (typeof momentChoices)[number]

/**
 * When to call back: not at all, or a moment as `datetime-local` writes it; empty while the agent has not entered all of it. `choice`: how the agent chose
 * it; not in what an older page stored.
 */
export type CallBack = { readonly kind: 'NONE' } | { readonly kind: 'AT'; readonly local: string; readonly choice?: MomentChoice }

const mostDaysAhead = 365

export function callBackOf(choice: MomentChoice): CallBack {
  return { kind: 'AT', local: choice === 'TOMORROW' ? tomorrowMorning() : localMoment(choice === 'THREE_HOURS' ? 180 : 60), choice }
}

/** In ISO 8601; null: no callback, or not all of it. */
export function momentOf(callBack: CallBack): string | null {
  return callBack.kind === 'NONE' || callBack.local === '' ? null : new Date(callBack.local).toISOString()
}

/** `moment`: ISO 8601; null: none. */
export function callBackAt(moment: string | null): CallBack {
  return moment === null ? { kind: 'NONE' } : { kind: 'AT', local: momentText(new Date(moment)) }
}

/** Whether the service takes the moment: from this minute on, at most a year ahead. */
export function isAhead(callBack: CallBack, now: number): boolean {
  if (callBack.kind === 'NONE') return true
  const { local } = callBack
  return local >= momentText(new Date(now)) && local <= momentText(new Date(now + mostDaysAhead * 86_400_000))
}

/** The next whole quarter of an hour after so many minutes. */
function localMoment(minutesFromNow: number): string {
  const quarter = 15 * 60_000
  return momentText(new Date(Math.ceil((Date.now() + minutesFromNow * 60_000) / quarter) * quarter))
}

function tomorrowMorning(): string {
  const date = new Date()
  date.setDate(date.getDate() + 1)
  date.setHours(10, 0, 0, 0)
  return momentText(date)
}
