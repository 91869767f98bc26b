import { useEffect, useRef, useState } from 'react'
import { service } from '../../../data/service-client.ts'
import type { Drafting } from './draft.ts'
import type { ScreenPop } from './screen-pop.ts'

const pauseMs = 1_000
const retryMs = 5_000
/** What the service takes. */
export const mostNotes = 8_000

/** FAILED: only this tab has them, until a later try succeeds. */
export type NotesState = 'PENDING' | 'SAVED' | 'FAILED'

type SavedNotes = { readonly pop: Pick<ScreenPop, 'draftNotes'> | null; readonly isPopLost: boolean }

/**
 * Saves at the service what the agent types about a call, until the outcome has it: another device, or this one after a sign-out, goes on with
 * it. Nothing is saved before the screen pop has said what the service has, because another device may have written it.
 */
export function useSavedNotes(ucid: string, { draft, change }: Drafting, { pop, isPopLost }: SavedNotes): NotesState {
  const { notes, savedNotes, receipt } = draft
  const [isRead, setRead] = useState(false)
  const [isFailing, setFailing] = useState(false)
  const known = useRef(draft)
  known.current = draft
  const found = pop && (pop.draftNotes?.notes ?? '')
  useEffect(() => {
    if (found === null || isRead) return
    setRead(true)
    const own = known.current
    if (own.receipt) return
    change({ savedNotes: found, ...(found !== own.savedNotes && { notes: merged(own.notes, found) }) })
  }, [found, isRead, change])
  const isSaved = savedNotes === notes
  useEffect(() => {
    if (!isRead || receipt || isSaved) return
    let isLeft = false
    let timer = setTimeout(save, pauseMs)
    function save(): void {
      service.mutate({ saveCallNotes: { $: { ucid, notes }, savedAt: true } }).then(
        () => {
          change({ savedNotes: notes })
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
  }, [isRead, isSaved, ucid, notes, receipt, change])
  if (isRead && isSaved) return 'SAVED'
  return isFailing || (!isRead && isPopLost) ? 'FAILED' : 'PENDING'
}

/** What this tab has, and what another device wrote: nothing of either is lost. */
function merged(own: string, found: string): string {
  if (own.includes(found)) return own
  return found.includes(own) ? found : `${found}\n${own}`.slice(0, mostNotes)
}
