import { useCallback, useEffect, useState } from 'react'
import { service } from '../../../data/service-client.ts'
import { beforeSignOut, useMember } from '../../../session/session.ts'
import { createStore, useStore } from '../../../state/store.ts'
import { momentOf } from '../call-back/call-back.ts'
import { storedDraft, useDraft, useUnsavedCalls } from './draft.ts'
import type { Draft } from './draft-fields.ts'
import { choiceOf, isUnsaved } from './draft-checks.ts'
import { type FoundNotes, isRead, markRead, mergedNotes } from './merged-notes.ts'
import { mostNotes } from './most-notes.ts'
import { oneAtATime } from './one-at-a-time.ts'

const pauseMs = 1_000
/** The tab in which the agent types is faster. */
const hiddenPauseMs = 5_000
const retryMs = 5_000
const longestRetryMs = 60_000
/** Then the next page goes on: a call that the service no longer knows cannot have notes. */
const mostTries = 60

/** FAILED: only this browser has them, until a later try succeeds. TOO_LONG: the service does not take them. */
export type NotesState = 'PENDING' | 'SAVED' | 'FAILED' | 'TOO_LONG'

/** The calls about which the last try has failed. */
const failed = createStore<readonly string[]>([])

export function useNotesState(ucid: string, draft: Draft): NotesState {
  const isFailing = useStore(failed).includes(ucid)
  if (draft.notes.length > mostNotes) return 'TOO_LONG'
  if (!isUnsaved(draft)) return 'SAVED'
  return isFailing ? 'FAILED' : 'PENDING'
}

/**
 * Saves at the service what the agent types and chooses about each call, whatever the page shows, until the outcome has it: another device, or this one
 * after a sign-out, goes on with it. Shows nothing.
 */
export function SaveNotes() {
  const { memberId } = useMember()
  const ucids = useUnsavedCalls()
  const saveAll = useCallback(async () => void (await Promise.all(ucids.map((ucid) => save(memberId, ucid)))), [memberId, ucids])
  useEffect(() => {
    beforeSignOut.add(saveAll)
    return () => void beforeSignOut.delete(saveAll)
  }, [saveAll])
  return ucids.map((ucid) => <Saving key={ucid} memberId={memberId} ucid={ucid} />)
}

type SavingProps = { readonly memberId: string; readonly ucid: string }

/** While the service does not have all of the draft. */
function Saving({ memberId, ucid }: SavingProps) {
  const { draft } = useDraft(ucid)
  const [tries, setTries] = useState(0)
  const entered = JSON.stringify([draft.notes, choiceOf(draft)])
  useEffect(() => {
    if (tries > mostTries) return
    const pause = document.hidden ? hiddenPauseMs : pauseMs
    const wait = tries === 0 ? pause : Math.min(retryMs * 2 ** (tries - 1), longestRetryMs)
    const timer = setTimeout(() => void save(memberId, ucid).then((isSaved) => setTries(isSaved ? 0 : tries + 1)), wait)
    return () => clearTimeout(timer)
  }, [memberId, ucid, entered, tries])
  return null
}

/**
 * Returns whether the service has it. Nothing is sent before it is known what the service has, because another device may have written it.
 */
async function save(memberId: string, ucid: string): Promise<boolean> {
  const { latest, change } = storedDraft(memberId, ucid)
  const isSaved = await oneAtATime(ucid, async () => {
    if (!isRead(ucid)) change(mergedNotes(latest(), await readNotes(ucid)))
    markRead(ucid)
    const { notes, disposition, callBack } = latest()
    if (!isUnsaved(latest())) return
    change({ sentNotes: notes })
    const sent = { ucid, notes, disposition, callBackAt: momentOf(callBack) }
    const { saveCallNotes } = await service.mutate({ saveCallNotes: { $: sent, savedAt: true } })
    change({ savedNotes: notes, savedChoice: choiceOf({ disposition, callBack }), savedAt: saveCallNotes.savedAt })
  }).then(
    () => true,
    () => false,
  )
  const others = failed.get().filter((one) => one !== ucid)
  failed.set(isSaved ? others : [...others, ucid])
  return isSaved
}

/** Null if it has none. */
async function readNotes(ucid: string): Promise<FoundNotes | null> {
  const fields = { notes: true, disposition: true, callBackAt: true, savedAt: true } as const
  return (await service.query({ callLookup: { $: { ucid }, draftNotes: fields } })).callLookup.draftNotes
}
