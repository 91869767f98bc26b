import { type Call, isInProgress, useOwnCalls } from '../../../phone/calls.ts'
import { useDraft } from './draft.ts'
import { useSaveAtEnd } from './save-at-end.ts'

/** Where the desk does not show the last call, its outcome is not lost either when the wrap-up ends or the next call begins. Shows nothing. */
export function SaveLastCall({ isOnDesk }: { readonly isOnDesk: boolean }) {
  const { calls } = useOwnCalls()
  const last = calls.find((call) => !isInProgress(call) && (call.answeredAt !== null || call.direction === 'OUTBOUND'))
  const isSuperseded = calls.some(isInProgress)
  return last && (isSuperseded || !isOnDesk) ? <Saving key={last.ucid} call={last} isSuperseded={isSuperseded} /> : null
}

function Saving({ call, isSuperseded }: { readonly call: Call; readonly isSuperseded: boolean }) {
  const drafting = useDraft(call.ucid)
  useSaveAtEnd(call, drafting, { leadId: drafting.draft.leadId, isSuperseded })
  return null
}
