import { useEffect, useRef } from 'react'
import type { ScreenPop } from '../../../phone/caller.ts'
import { sessionStore } from '../../../session/session.ts'
import { callBackAt } from '../call-back/call-back.ts'
import type { Drafting } from './draft.ts'
import type { Draft } from './draft-fields.ts'
import { choiceOf } from './draft-checks.ts'

/** What the service has. */
export type FoundNotes = Omit<NonNullable<ScreenPop['draftNotes']>, 'id'>

/** The calls of which this page has read what the service has. */
const read = new Set<string>()
sessionStore.subscribe(() => {
  if (sessionStore.get().kind !== 'SIGNED_IN') read.clear()
})

export function isRead(ucid: string): boolean {
  return read.has(ucid)
}

export function markRead(ucid: string): void {
  read.add(ucid)
}

/** Goes on with what another device wrote. `found`: undefined until it is known. */
export function useFoundNotes(ucid: string, { latest, change }: Drafting, found: FoundNotes | null | undefined): void {
  const isNew = useRef(true)
  useEffect(() => {
    if (found === undefined || !isNew.current) return
    isNew.current = false
    if (!latest().receipt) change(mergedNotes(latest(), found))
    markRead(ucid)
  }, [ucid, found, latest, change])
}

/** What this browser has, and what another device wrote since this one saved: nothing of either is lost. */
export function mergedNotes(draft: Draft, found: FoundNotes | null): Partial<Draft> {
  const { notes, savedNotes, savedAt, sentNotes } = draft
  if (!found || found.savedAt <= savedAt) return {}
  const isOwn = found.notes === sentNotes
  const isUnchanged = notes === savedNotes
  const text = isOwn ? notes : isUnchanged ? found.notes : joined(found.notes, notes)
  return { savedNotes: found.notes, savedAt: found.savedAt, notes: text, ...mergedChoice(draft, found) }
}

/** What was chosen here last counts. */
function mergedChoice({ disposition, callBack }: Draft, found: FoundNotes): Partial<Draft> {
  const theirs = { disposition: found.disposition, callBack: callBackAt(found.callBackAt) }
  const isOwn = disposition !== null || callBack.kind !== 'NONE'
  return { savedChoice: choiceOf(theirs), ...(!isOwn && theirs) }
}

function joined(theirs: string, own: string): string {
  if (own.includes(theirs)) return own
  return theirs.includes(own) ? theirs : `${theirs}\n${own}`
}
