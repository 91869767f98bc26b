import { useEffect, useRef } from 'react'
import { service } from '../../../data/service-client.ts'
import { useCallSettings, useOwnPresence } from '../../../phone/agent-state.ts'
import { type Call, isInProgress } from '../../../phone/calls.ts'
import { isBusy, useNextReason } from '../../../phone/next-state.ts'
import { useNow } from '../../../ui/now.ts'
import { callBackAt } from '../call-back/call-back.ts'
import type { Drafting } from './draft.ts'
import type { Draft } from './draft-fields.ts'
import { choiceOf, isComplete, isSaved } from './draft-checks.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { useSubmit } from './submit.ts'

/** Before the provider ends the wrap-up and takes no outcome any more. */
const beforeMs = 5_000
/** A lost network may be back by then. For as long as an outcome can be corrected. */
const retryMs = 15_000
const mostTries = 40
/** Where no wrap-up was seen: reports of the agent's state come in any order. */
const settledMs = 5_000

/** `isSuperseded`: the agent has another call. */
type SaveOptions = { readonly leadId: string | null; readonly isSuperseded?: boolean }

/**
 * Sends what the agent has chosen, and not sent, when the wrap-up ends: just before, and after it if that was too late. An outcome that is not complete
 * stays as it is, and what the agent changes afterwards is sent by the button alone. Returns when the provider ends the wrap-up, by the clock of this page; null if nobody knows.
 */
export function useSaveAtEnd(call: Call, drafting: Drafting, { leadId, isSuperseded = false }: SaveOptions): number | null {
  const { draft, latest } = drafting
  const endsAt = useWrapUpEnd()
  const state = useOwnPresence()?.state
  const now = useNow(1_000)
  const { reason } = useNextReason()
  const { submit, isPending } = useSubmit(call, drafting, leadId)
  const tries = useRef({ count: 0, notBefore: 0 })
  const atEnd = useRef<string | null>(null)
  const isFree = useFree(!isInProgress(call), state, now)
  const isEnded = isSuperseded || isFree
  const isEnding = state === 'WRAP_UP' && endsAt !== null && now >= endsAt - beforeMs
  const entered = JSON.stringify([draft.disposition, draft.notes, draft.callBack])
  if (isEnded) atEnd.current ??= entered
  const isAsAtEnd = !isInProgress(call) && (isEnding || (isEnded && atEnd.current === entered))
  // Somebody else may have given one.
  const isOwn = call.disposition === null || draft.receipt !== null
  const isDue = isOwn && isAsAtEnd && isComplete(draft, now) && !isSaved(draft) && !isPending
  useEffect(() => {
    const { count, notBefore } = tries.current
    if (!isDue || count >= mostTries || now < notBefore) return
    tries.current = { count: count + 1, notBefore: now + retryMs }
    void oneAtATime(call.ucid, async () => {
      // By another tab.
      if (isSaved(latest())) return
      const isLast = await isNewest(call.ucid, draft)
      if (isLast === false) tries.current.count = mostTries
      if (isLast === true) await submit(isEnding && reason !== null ? { state: 'NOT_READY', reason } : null, { isAutomatic: true })
    })
  }, [isDue, isEnding, now, reason, submit, call.ucid, draft, latest])
  return endsAt
}

/** Whether the call and its wrap-up are over, by the agent's state. */
function useFree(isOver: boolean, state: string | undefined, now: number): boolean {
  const seen = useRef({ hasWrapUp: false, freeSince: Number.POSITIVE_INFINITY })
  const isFree = isOver && state !== undefined && !isBusy(state)
  const { hasWrapUp, freeSince } = seen.current
  seen.current = {
    hasWrapUp: hasWrapUp || (isOver && state === 'WRAP_UP'),
    freeSince: isFree ? Math.min(freeSince, now) : Number.POSITIVE_INFINITY,
  }
  return isFree && (hasWrapUp || now >= freeSince + settledMs)
}

/** Whether no other tab or device has written something else about the call since this one. Null if that cannot be read now. */
async function isNewest(ucid: string, draft: Draft): Promise<boolean | null> {
  const fields = { notes: true, disposition: true, callBackAt: true, savedAt: true } as const
  const answer = await service.query({ callLookup: { $: { ucid }, draftNotes: fields } }).catch(() => null)
  if (!answer) return null
  const found = answer.callLookup.draftNotes
  if (!found || found.savedAt <= draft.savedAt) return true
  const theirs = choiceOf({ disposition: found.disposition, callBack: callBackAt(found.callBackAt) })
  return found.notes === draft.notes && theirs === choiceOf(draft)
}

/** As far as this page has seen the wrap-up begin: its clock may be another one than the service's. */
function useWrapUpEnd(): number | null {
  const { wrapUpSeconds } = useCallSettings()
  const presence = useOwnPresence()
  const seen = useRef<{ readonly state: string | undefined; readonly beganAt: number }>({ state: undefined, beganAt: 0 })
  const state = presence?.state
  if (state !== seen.current.state) {
    const beganAt = seen.current.state === 'ON_CALL' ? Date.now() : Math.min(Date.now(), Date.parse(presence?.since ?? ''))
    seen.current = { state, beganAt }
  }
  return state === 'WRAP_UP' && wrapUpSeconds !== null ? seen.current.beganAt + wrapUpSeconds * 1_000 : null
}
