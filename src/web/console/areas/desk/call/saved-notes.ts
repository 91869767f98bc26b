import { useEffect, useRef, useState } from 'react'
import { service } from '../../../data/service-client.ts'
import type { ScreenPop } from '../../../phone/caller.ts'
import { callBackAt, momentOf } from '../call-back/call-back.ts'
import { type Draft, type Drafting } from './draft.ts'
import { choiceOf } from './draft-checks.ts'
import { mostNotes } from './most-notes.ts'

const pauseMs = 1_000
const retryMs = 5_000

/** FAILED: only this tab has them, until a later try succeeds. TOO_LONG: the service does not take them. */
export type NotesState = 'PENDING' | 'SAVED' | 'FAILED' | 'TOO_LONG'

type FoundNotes = NonNullable<ScreenPop['draftNotes']>
/** `found`: what the service has. Undefined: it is not known yet. */
type Known = { readonly found: FoundNotes | null | undefined; readonly isPopLost: boolean }

/**
 * Saves at the service what the agent types and chooses about a call, until the outcome has it: another device, or this one after a sign-out, goes on with
 * it. Nothing is saved before the screen pop has said what the service has, because another device may have written it.
 */
export function useSavedNotes(ucid: string, { draft, change }: Drafting, { found, isPopLost }: Known): NotesState {
  const { notes, savedNotes, disposition, receipt } = draft
  const moment = momentOf(draft.callBack)
  const choice = choiceOf(draft)
  const [isRead, setRead] = useState(false)
  const [isFailing, setFailing] = useState(false)
  const known = useRef(draft)
  known.current = draft
  useEffect(() => {
    if (found === undefined || isRead) return
    setRead(true)
    if (!known.current.receipt) change(merged(known.current, found))
  }, [found, isRead, change])
  const isSaved = savedNotes === notes && draft.savedChoice === choice
  const isTooLong = notes.length > mostNotes
  useEffect(() => {
    if (!isRead || receipt || isSaved || isTooLong) return
    let isLeft = false
    let timer = setTimeout(save, pauseMs)
    function save(): void {
      change({ sentNotes: notes })
      service.mutate({ saveCallNotes: { $: { ucid, notes, disposition, callBackAt: moment }, savedAt: true } }).then(
        ({ saveCallNotes: { savedAt } }) => {
          change({ savedNotes: notes, savedChoice: choice, savedAt })
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
  }, [isRead, isSaved, isTooLong, ucid, notes, disposition, moment, choice, receipt, change])
  if (isTooLong) return 'TOO_LONG'
  if (isRead && isSaved) return 'SAVED'
  return isFailing || (!isRead && isPopLost) ? 'FAILED' : 'PENDING'
}

/** What this tab has, and what another device wrote since this one saved: nothing of either is lost. */
function merged(draft: Draft, found: FoundNotes | null): Partial<Draft> {
  const { notes, savedNotes, savedAt, sentNotes } = draft
  if (!found) return { savedNotes: '' }
  if (found.savedAt <= savedAt) return {}
  const isOwn = found.notes === sentNotes
  const isUnchanged = notes === (savedNotes ?? '')
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
