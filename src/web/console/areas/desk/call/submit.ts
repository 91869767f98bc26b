import type { ServiceError } from '@call-center-sidecar/client'
import { useCallback, useRef } from 'react'
import { graphql } from '../../../data/graphql.ts'
import { useAction } from '../../../data/use-action.ts'
import type { StateChoice } from '../../../phone/agent-state.ts'
import type { Call } from '../../../phone/calls.ts'
import { momentOf } from '../call-back/call-back.ts'
import type { Drafting } from './draft.ts'
import type { Draft } from './draft-fields.ts'
import { useDeskTexts } from './texts.ts'

const submitDocument = graphql(`
  mutation SubmitDisposition($input: DispositionInput!) {
    submitDisposition(input: $input) {
      ucid
      disposition
      outcome
      eventId
      supersedes
    }
  }
`)

/** Sends the outcome of a call, or corrects it. `next`: the agent's state after the call; null leaves the wrap-up. Returns whether the service has it. */
export function useSubmit({ ucid }: Pick<Call, 'ucid'>, { draft, change }: Pick<Drafting, 'draft' | 'change'>, leadId: string | null) {
  const texts = useDeskTexts()
  const isQuiet = useRef(false)
  const explain = useCallback(
    ({ reason, data }: ServiceError) => isQuiet.current || refusalOf(reason, textOf(data?.['disposition']), texts),
    [texts],
  )
  const { run, isPending } = useAction(submitDocument, explain)
  /** `isAutomatic`: nobody has pressed a button. */
  const submit = async (next: StateChoice | null, { isAutomatic = false } = {}): Promise<boolean> => {
    if (draft.disposition === null) return false
    isQuiet.current = isAutomatic
    const answer = await run({ input: { ucid, ...asInput(draft, leadId), automatic: isAutomatic, ...(next && { next }) } })
    if (!answer) return false
    const { disposition, eventId, outcome } = answer.submitDisposition
    const { notes, callBack } = draft
    // The outcome has replaced the notes that were saved before it.
    change({
      savedNotes: '',
      receipt: { disposition, eventId, outcome, notes, leadId: draft.leadId, callBackAt: momentOf(callBack), isAutomatic },
    })
    return true
  }
  return { submit, isPending }
}

function asInput({ disposition, notes, callBack, receipt }: Draft, leadId: string | null) {
  const callBackAt = momentOf(callBack)
  return {
    disposition: disposition ?? '',
    notes,
    ...(leadId !== null && { leadId }),
    ...(callBackAt !== null && { callBackAt }),
    ...(receipt && { supersedes: receipt.eventId }),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function refusalOf(reason: ServiceError['reason'], disposition: string, texts: ReturnType<typeof useDeskTexts>): string | null {
  if (reason === 'CHANGED_MEANWHILE') return texts.changedMeanwhile(disposition)
  return reason === 'WRONG_STATE' && disposition !== '' ? texts.tooLate(disposition) : null
}
