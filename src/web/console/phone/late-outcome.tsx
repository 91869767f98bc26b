import type { ServiceError } from '@call-center-sidecar/client'
import { useCallback, useState } from 'react'
import { graphql } from '../data/graphql.ts'
import { useAction } from '../data/use-action.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'
import { useCallSettings } from './agent-state.ts'
import { useLateOutcomeTexts } from './late-outcome-texts.ts'
import './late-outcome.css'

const lateOutcomeDocument = graphql(`
  mutation GiveLateOutcome($input: DispositionInput!) {
    submitDisposition(input: $input) {
      ucid
      disposition
    }
  }
`)

/** `automaticDisposition`: what the provider wrote in the place of an outcome. */
type LateCall = { readonly ucid: string; readonly automaticDisposition: string | null }

/** In the place of the outcome of a call that has none: why, and a way to give one. The lists have it some seconds later. */
export function LateOutcome({ call: { ucid, automaticDisposition } }: { readonly call: LateCall }) {
  const texts = useLateOutcomeTexts()
  const [given, setGiven] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  // Here, so that a dialog that is closed by accident loses nothing.
  const [choice, setChoice] = useState<Choice>({ disposition: '', notes: '' })
  if (given !== null) return <Badge tone="info">{given}</Badge>
  return (
    <span className="late-outcome">
      <Badge>{texts.none}</Badge>
      {automaticDisposition !== null && <span className="ui-hint">{texts.byProvider(automaticDisposition)}</span>}
      <Button size="s" onPress={() => setOpen(true)}>
        {texts.give}
      </Button>
      {isOpen && <LateOutcomeDialog ucid={ucid} choice={choice} onChange={setChoice} onGiven={setGiven} onClose={() => setOpen(false)} />}
    </span>
  )
}

type Choice = { readonly disposition: string; readonly notes: string }
type LateOutcomeDialogProps = {
  readonly ucid: string
  readonly choice: Choice
  readonly onChange: (choice: Choice) => void
  readonly onGiven: (disposition: string) => void
  readonly onClose: () => void
}

function LateOutcomeDialog({ ucid, choice, onChange, onGiven, onClose }: LateOutcomeDialogProps) {
  const texts = useLateOutcomeTexts()
  const { dispositions } = useCallSettings()
  const explain = useCallback((error: ServiceError) => refusalOf(error, texts), [texts])
  const { run, isPending } = useAction(lateOutcomeDocument, explain)
  const disposition = choice.disposition.trim()
  const isIncomplete = disposition === ''
  const give = async (): Promise<void> => {
    if (isPending || isIncomplete) return
    const notes = choice.notes.trim()
    // Without notes, those that are there stay.
    const answer = await run({ input: { ucid, disposition, ...(notes !== '' && { notes }) } })
    if (answer) onGiven(answer.submitDisposition.disposition)
  }
  const choose = (part: Partial<Choice>): void => onChange({ ...choice, ...part })
  return (
    <Dialog
      title={texts.title}
      isOpen
      onClose={onClose}
      onSubmit={() => void give()}
      actions={
        <Button look="primary" type="submit" isPending={isPending} isDisabled={isIncomplete}>
          {texts.save}
        </Button>
      }
    >
      {dispositions.length === 0 ? (
        <Field label={texts.outcome} value={choice.disposition} onChange={(value) => choose({ disposition: value })} maxLength={100} />
      ) : (
        <Select
          label={texts.outcome}
          options={dispositions.map((value) => ({ value, label: value }))}
          value={choice.disposition === '' ? null : choice.disposition}
          onChange={(value) => choose({ disposition: value })}
        />
      )}
      <Field
        label={texts.notes}
        hint={texts.notesHint}
        rows={4}
        value={choice.notes}
        onChange={(notes) => choose({ notes })}
        maxLength={8_000}
      />
    </Dialog>
  )
}

/** Somebody gave it meanwhile. */
function refusalOf({ reason, data }: ServiceError, texts: ReturnType<typeof useLateOutcomeTexts>): string | null {
  const disposition = data?.['disposition']
  const isGiven = (reason === 'WRONG_STATE' || reason === 'CHANGED_MEANWHILE') && typeof disposition === 'string'
  return isGiven ? texts.alreadyGiven(disposition) : null
}
