import { useMemo } from 'react'
import { useOwnPresence } from '../../../phone/agent-state.ts'
import { type Call, isInProgress, isOwn, useOwnCalls } from '../../../phone/calls.ts'
import { useMember } from '../../../session/session.ts'
import { useNow } from '../../../ui/now.ts'
import { useLastCall } from './screen-pop.ts'

/** How long the outcome of a call can be corrected. */
const correctionMs = 10 * 60_000

/**
 * The call that the desk is about: the one in progress, else the one that still needs its outcome or whose wrap-up lasts. `isKnown` is false
 * until the service has said whether there is one.
 */
export function useDeskCall(): { readonly call: Call | null; readonly isKnown: boolean } {
  const { agent } = useMember()
  const { calls, isKnown } = useOwnCalls()
  const last = useLastCall()
  const presence = useOwnPresence()
  const now = useNow(15_000)
  const isWrapUp = presence?.state === 'WRAP_UP'
  const call = useMemo(() => {
    const current = calls.find(isInProgress)
    if (current) return current
    const own = last.call && isOwn(last.call, agent) ? [last.call] : []
    const [ended] = calls.length > 0 ? calls : own
    return ended && needsOutcome(ended, { isWrapUp, now }) ? ended : null
  }, [calls, last.call, agent, isWrapUp, now])
  return { call, isKnown: isKnown && last.isKnown }
}

function needsOutcome(call: Call, { isWrapUp, now }: { readonly isWrapUp: boolean; readonly now: number }): boolean {
  if (isInProgress(call)) return true
  const wasAnswered = call.answeredAt !== null || call.phase === 'COMPLETED'
  const isRecent = call.endedAt === null || now - Date.parse(call.endedAt) < correctionMs
  return isRecent && (isWrapUp || (wasAnswered && call.disposition === null))
}
