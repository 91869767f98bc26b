import { useCallback, useEffect, useState } from 'react'
import { momentText } from '../../../i18n/day-text.ts'
import { useMember } from '../../../session/session.ts'

/** When to call back: not at all, or a moment as `datetime-local` writes it. `choice`: how the agent chose it; not in what an older page stored. */
export type CallBack =
  | { readonly kind: 'NONE' }
  | { readonly kind: 'AT'; readonly local: string; readonly choice?: 'HOUR' | 'THREE_HOURS' | 'TOMORROW' | 'OTHER' }

/** What the agent enters about one call. `receipt`: the outcome that the service has. */
export type Draft = {
  readonly notes: string
  /** The notes that the service has, as far as this tab knows. Null: not known yet. */
  readonly savedNotes: string | null
  /** When the service saved them: what it has from an earlier time is older than what this tab has. */
  readonly savedAt: string
  /** What was sent last: the service may have it, also if its answer did not come. */
  readonly sentNotes: string | null
  readonly disposition: string | null
  readonly callBack: CallBack
  readonly leadId: string | null
  readonly receipt: Receipt | null
}
export type Receipt = { readonly disposition: string; readonly notes: string; readonly eventId: string; readonly outcome: string }

const emptyDraft: Draft = {
  notes: '',
  savedNotes: null,
  savedAt: '',
  sentNotes: null,
  disposition: null,
  callBack: { kind: 'NONE' },
  leadId: null,
  receipt: null,
}
const prefix = 'console-call:'

export type Drafting = { readonly draft: Draft; readonly change: (part: Partial<Draft>) => void }

/**
 * What the agent enters about a call, with each key press, so that a reload loses nothing. It is in this tab's storage until
 * the sign-out; the calls before the last five are forgotten. The service has the notes too.
 */
export function useDraft(ucid: string): Drafting {
  const { memberId } = useMember()
  const key = `${prefix}${memberId}:${ucid}`
  const [kept, setKept] = useState(() => ({ key, draft: readDraft(key) }))
  const draft = kept.key === key ? kept.draft : readDraft(key)
  useEffect(() => forgetOld(key), [key])
  const change = useCallback(
    (part: Partial<Draft>) =>
      setKept(() => {
        const changed = { ...readDraft(key), ...part }
        sessionStorage.setItem(key, JSON.stringify(changed))
        return { key, draft: changed }
      }),
    [key],
  )
  return { draft, change }
}

function readDraft(key: string): Draft {
  const stored = sessionStorage.getItem(key)
  return stored === null ? emptyDraft : { ...emptyDraft, ...asDraft(JSON.parse(stored)) }
}

/** This page wrote it. */
function asDraft(stored: unknown): Partial<Draft>
function asDraft(stored: unknown): unknown {
  return stored
}

function forgetOld(current: string): void {
  const others = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix) && key !== current)
  // UCIDs begin with the time of the call.
  for (const key of others.toSorted().slice(0, -4)) sessionStorage.removeItem(key)
}

/** The next whole quarter of an hour after so many minutes, as `datetime-local` writes it. */
export function localMoment(minutesFromNow: number): string {
  const quarter = 15 * 60_000
  return momentText(new Date(Math.ceil((Date.now() + minutesFromNow * 60_000) / quarter) * quarter))
}

/** Tomorrow at ten. */
export function tomorrowMorning(): string {
  const date = new Date()
  date.setDate(date.getDate() + 1)
  date.setHours(10, 0, 0, 0)
  return momentText(date)
}
