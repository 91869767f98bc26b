import type { ServiceError } from '@call-center-sidecar/client'
import { useCallback, useState } from 'react'
import { useAction } from '../../../data/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { showToast } from '../../../ui/toast.ts'
import { useNames, type Verdict, verdicts } from '../names.ts'
import { correctDocument, type Criterion, type Scorecard } from './scorecard.ts'
import { useScorecardTexts } from './texts.ts'

type CorrectionDialogProps = {
  readonly scorecard: Scorecard
  readonly criterion: Criterion
  readonly onClose: () => void
  /** Somebody else changed the scorecard: it is to be read again. */
  readonly onChanged: () => void
}

/** A manager's own verdict on a criterion, the same as the model's or another one. */
export function CorrectionDialog({ scorecard: { callId, version }, criterion, onClose, onChanged }: CorrectionDialogProps) {
  const texts = useScorecardTexts()
  const names = useNames()
  const { key, name, question, model, correction } = criterion
  const [verdict, setVerdict] = useState<Verdict>(criterion.verdict ?? 'MET')
  const [reason, setReason] = useState(correction?.reason ?? '')
  const [isChecked, setChecked] = useState(false)
  const { run, isPending } = useCorrection(onChanged)
  const send = async (given: Verdict | null): Promise<void> => {
    setChecked(true)
    if (reason.trim() === '') return
    const data = await run({ input: { callId, criterion: key, verdict: given, reason: reason.trim(), version } })
    if (!data) return
    showToast({ tone: 'good', title: given === null ? texts.withdrawn : texts.saved })
    onClose()
  }
  return (
    <Dialog
      title={name}
      isOpen
      onClose={onClose}
      actions={
        <>
          {correction && (
            <Button look="danger" isDisabled={isPending} onPress={() => void send(null)}>
              {texts.withdraw}
            </Button>
          )}
          <Button look="primary" isPending={isPending} onPress={() => void send(verdict)}>
            {texts.save}
          </Button>
        </>
      }
    >
      <p>{question}</p>
      {model && <p className="rec-quiet">{`${texts.modelSaid(names[model.verdict])}. ${model.reason ?? ''}`}</p>}
      <Segments
        label={texts.verdict}
        options={verdicts.map((value) => ({ value, label: names[value] }))}
        value={verdict}
        onChange={setVerdict}
      />
      <Field
        label={texts.reason}
        hint={texts.reasonHint}
        rows={3}
        maxLength={500}
        value={reason}
        onChange={setReason}
        error={isChecked && reason.trim() === '' ? texts.reasonMissing : null}
      />
    </Dialog>
  )
}

function useCorrection(onChanged: () => void) {
  const texts = useScorecardTexts()
  const explain = useCallback(
    ({ reason }: ServiceError) => {
      if (reason !== 'CHANGED_MEANWHILE') return null
      onChanged()
      return texts.changedMeanwhile
    },
    [texts, onChanged],
  )
  return useAction(correctDocument, explain)
}
