import { isInProgress, type Call, useOwnCalls } from '../../../phone/calls.ts'
import { useDraft } from './draft.ts'
import { useSaveAtEnd } from './save-at-end.ts'

/** For screens other than the desk: the outcome of the last call is not lost there either when its wrap-up ends. Shows nothing. */
export function SaveLastCall({ isOnDesk }: { readonly isOnDesk: boolean }) {
  const { calls } = useOwnCalls()
  const [last] = calls
  return last && !isOnDesk && !isInProgress(last) ? <Saving key={last.ucid} call={last} /> : null
}

function Saving({ call }: { readonly call: Call }) {
  const drafting = useDraft(call.ucid)
  useSaveAtEnd(call, drafting, drafting.draft.leadId)
  return null
}
