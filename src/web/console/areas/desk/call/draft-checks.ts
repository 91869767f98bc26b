import { type CallBack, isAhead, momentOf } from '../call-back/call-back.ts'
import type { Draft, Receipt } from './draft-fields.ts'
import { mostNotes } from './most-notes.ts'

/** Outcome and callback, to compare. */
export function choiceOf({ disposition, callBack }: Pick<Draft, 'disposition' | 'callBack'>): string {
  return JSON.stringify([disposition, momentOf(callBack)])
}

/** Whether the service does not have all of it, and can take it. Another choice than that of the outcome is saved by the button alone. */
export function isUnsaved({ receipt, notes, savedNotes, ...draft }: Draft): boolean {
  const isOther = notes !== savedNotes && notes !== receipt?.notes
  return notes.length <= mostNotes && (isOther || (receipt === null && draft.savedChoice !== choiceOf(draft)))
}

/** Whether the service can take it: an outcome, notes that are not too long, and a callback that is not past. */
export function isComplete(draft: Draft, now: number): boolean {
  return draft.disposition !== null && draft.notes.length <= mostNotes && isCallBackAccepted(draft, now)
}

/** Whether the service has all of it. */
export function isSaved(draft: Draft): boolean {
  return draft.receipt !== null && !isChanged(draft)
}

/** Since the outcome was saved. */
function isChanged({ receipt, disposition, notes, leadId, callBack }: Draft): boolean {
  if (receipt === null) return false
  const isOther = receipt.disposition !== disposition || receipt.notes !== notes || receipt.leadId !== leadId
  return isOther || savedMoment(receipt) !== momentOf(callBack) || isUnfinished(callBack)
}

/** What is saved may be past by now. */
export function isCallBackAccepted({ receipt, callBack }: Draft, now: number): boolean {
  return isAhead(callBack, now) || (!isUnfinished(callBack) && receipt !== null && savedMoment(receipt) === momentOf(callBack))
}

/** Not in what an older page stored. */
function savedMoment({ callBackAt }: Receipt): string | null {
  return callBackAt ?? null
}

/** The agent wants a callback, and has not entered all of its moment. */
function isUnfinished(callBack: CallBack): boolean {
  return callBack.kind === 'AT' && momentOf(callBack) === null
}
