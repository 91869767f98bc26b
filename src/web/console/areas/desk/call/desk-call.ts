import { useMemo, useState } from 'react'
import { useOwnPresence } from '../../../phone/agent-state.ts'
import { type Call, isInProgress, isOwn, useOwnCalls } from '../../../phone/calls.ts'
import { useMember } from '../../../session/session.ts'
import { useNow } from '../../../ui/now.ts'
import { useUnseenOutcome } from './draft.ts'
import { useLastCall } from './screen-pop.ts'

/** How long the outcome of a call can be corrected. */
const correctionMs = 10 * 60_000

/**
 * The call that the desk is about: the one in progress, else the last one, if it still needs its outcome or its wrap-up lasts.
 * `isKnown` is false until the service has said whether there is one; a connection that is lost later changes nothing.
 */
export function useDeskCall(): { readonly call: Call | null; readonly isKnown: boolean } {
  const { agent } = useMember()
  const { calls, isKnown } = useOwnCalls()
  const last = useLastCall({ ucid: calls[0]?.ucid ?? null, isOpen: isKnown })
  const presence = useOwnPresence()
  const now = useNow(15_000)
  const isWrapUp = presence?.state === 'WRAP_UP'
  const unseen = useUnseenOutcome()
  const call = useMemo(() => {
    const current = calls.find(isInProgress)
    if (current) return current
    const own = last.isCurrent && last.call && isOwn(last.call, agent) ? [last.call] : []
    const ended = [...calls, ...own].find((one) => one.direction === 'OUTBOUND' || wasAnswered(one))
    return ended && needsOutcome(ended, { isWrapUp: isWrapUp || unseen === ended.ucid, now }) ? ended : null
  }, [calls, last.isCurrent, last.call, agent, isWrapUp, unseen, now])
  const [known, setKnown] = useState<Call | null>()
  const isFound = call !== null || last.isCurrent || (last.hasFailed && known === undefined)
  if (isFound && known !== call) setKnown(call)
  // While the last call is read again, the one from before stays on the screen.
  return { call: isFound ? call : (known ?? null), isKnown: known !== undefined }
}

/** The wrap-up is of a call that the agent talked in, or began; not of one that rang in vain before it or meanwhile. */
function wasAnswered({ answeredAt, phase }: Call): boolean {
  return answeredAt !== null || phase === 'COMPLETED'
}

function needsOutcome(call: Call, { isWrapUp, now }: { readonly isWrapUp: boolean; readonly now: number }): boolean {
  if (isInProgress(call)) return true
  const isRecent = call.endedAt === null || now - Date.parse(call.endedAt) < correctionMs
  return isRecent && (isWrapUp || (wasAnswered(call) && call.disposition === null))
}
