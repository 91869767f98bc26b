import { useEffect, useRef, useState } from 'react'
import { service } from '../../../data/service-client.ts'
import type { ScreenPop } from '../../../phone/caller.ts'
import type { Draft, Drafting } from './draft.ts'
import { mostNotes } from './most-notes.ts'

const pauseMs = 1_000
const retryMs = 5_000

/** FAILED: only this tab has them, until a later try succeeds. TOO_LONG: the service does not take them. */
export type NotesState = 'PENDING' | 'SAVED' | 'FAILED' | 'TOO_LONG'

type FoundNotes = NonNullable<ScreenPop['draftNotes']>
/** `found`: what the service has. Undefined: it is not known yet. */
type Known = { readonly found: FoundNotes | null | undefined; readonly isPopLost: boolean }

/**
 * Saves at the service what the agent types about a call, until the outcome has it: another device, or this one after a sign-out, goes on with
 * it. Nothing is saved before the screen pop has said what the service has, because another device may have written it.
 */
export function useSavedNotes(ucid: string, { draft, change }: Drafting, { found, isPopLost }: Known): NotesState {
  const { notes, savedNotes, receipt } = draft
  const [isRead, setRead] = useState(false)
  const [isFailing, setFailing] = useState(false)
  const known = useRef(draft)
  known.current = draft
  useEffect(() => {
    if (found === undefined || isRead) return
    setRead(true)
    if (!known.current.receipt) change(merged(known.current, found))
  }, [found, isRead, change])
  const isSaved = savedNotes === notes
  const isTooLong = notes.length > mostNotes
  useEffect(() => {
    if (!isRead || receipt || isSaved || isTooLong) return
    let isLeft = false
    let timer = setTimeout(save, pauseMs)
    function save(): void {
      change({ sentNotes: notes })
      service.mutate({ saveCallNotes: { $: { ucid, notes }, savedAt: true } }).then(
        ({ saveCallNotes: { savedAt } }) => {
          change({ savedNotes: notes, savedAt })
          if (!isLeft) setFailing(false)
        },
        () => {
          if (isLeft) return
          setFailing(true)
          timer = setTimeout(save, retryMs)
        },
      )
    }
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [isRead, isSaved, isTooLong, ucid, notes, receipt, change])
  if (isTooLong) return 'TOO_LONG'
  if (isRead && isSaved) return 'SAVED'
  return isFailing || (!isRead && isPopLost) ? 'FAILED' : 'PENDING'
}

/** What this tab has, and what another device wrote since this one saved: nothing of either is lost. */
function merged({ notes, savedNotes, savedAt, sentNotes }: Draft, found: FoundNotes | null): Partial<Draft> {
  if (!found) return { savedNotes: '' }
  if (found.savedAt <= savedAt) return {}
  const isOwn = found.notes === sentNotes
  const isUnchanged = notes === (savedNotes ?? '')
  const text = isOwn ? notes : isUnchanged ? found.notes : joined(found.notes, notes)
  return { savedNotes: found.notes, savedAt: found.savedAt, notes: text }
}

function joined(theirs: string, own: string): string {
  if (own.includes(theirs)) return own
  return theirs.includes(own) ? theirs : `${theirs}\n${own}`
}
