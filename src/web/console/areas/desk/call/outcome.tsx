import { Check } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { type StateChoice, useCallSettings, useOwnPresence, useStateChange } from '../../../phone/agent-state.ts'
import { type Call, isInProgress } from '../../../phone/calls.ts'
import { isBusy, useNextReason } from '../../../phone/next-state.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useShortcuts } from '../../../ui/shortcuts.tsx'
import { useNow } from '../../../ui/now.ts'
import { CallBackField } from '../call-back/call-back-field.tsx'
import { type Drafting } from './draft.ts'
import type { Draft } from './draft-fields.ts'
import { isCallBackAccepted, isComplete, isSaved as isDraftSaved } from './draft-checks.ts'
import { mostNotes } from './most-notes.ts'
import { useSaveAtEnd } from './save-at-end.ts'
import type { NotesState } from './save-notes.tsx'
import { useSubmit } from './submit.ts'
import { useDeskTexts } from './texts.ts'
import { WrapUpEnd } from './wrap-up-end.tsx'

/** Whether the person was in the notes of the call that the desk has just left. */
let wasInNotes = false

const notesHints = { PENDING: 'notesHint', SAVED: 'notesSaved', FAILED: 'notesFailed', TOO_LONG: 'notesHint' } as const

type OutcomeProps = {
  readonly call: Call
  readonly leadId: string | null
  readonly drafting: Drafting
  readonly notesState: NotesState
}

/** What the agent writes about the call: during it, and in the wrap-up. */
export function Outcome({ call, leadId, drafting, notesState }: OutcomeProps) {
  const texts = useDeskTexts()
  const { draft, change } = drafting
  const frame = useRef<HTMLElement>(null)
  const { submit, isPending } = useSubmit(call, drafting, leadId)
  const isOver = !isInProgress(call)
  const state = useOwnPresence()?.state
  const isWrapUp = state === 'WRAP_UP'
  const endsAt = useSaveAtEnd(call, drafting, { leadId })
  const isSaved = isDraftSaved(draft)
  const tooMany = draft.notes.length - mostNotes
  const now = useNow(15_000)
  const isTimely = isCallBackAccepted(draft, now)
  const isIncomplete = !isComplete(draft, now)
  const isSaveDisabled = isSaved || isIncomplete
  const { reason } = useNextReason()
  const pause = reason === null ? null : ({ state: 'NOT_READY', reason } as const)
  // Without the break: during the call it may still be taken back.
  const save = (): void => void submit(null)
  useShortcut('o', draft.receipt ? texts.correct : texts.save, isSaveDisabled || isPending ? null : save)
  useOutcomeShortcuts(drafting, () => frame.current?.querySelector('textarea')?.focus())
  const seen = (): void => {
    if (draft.receipt) change({ receipt: { ...draft.receipt, isAutomatic: false } })
  }
  useFocus(frame, isOver)
  return (
    <section ref={frame} className="desk-outcome" aria-label={texts.outcome}>
      <h3>{isOver ? texts.wrapUp : texts.notesTitle}</h3>
      <Field
        label={texts.notes}
        rows={5}
        value={draft.notes}
        onChange={(notes) => change({ notes })}
        error={tooMany > 0 ? texts.notesTooLong(tooMany) : null}
        // Once the outcome is saved, a correction is saved by the button.
        {...(!draft.receipt && { hint: draft.notes === '' ? texts.notesHint : texts[notesHints[notesState]] })}
      />
      <Dispositions draft={draft} onChoose={(disposition) => change({ disposition })} />
      <CallBackField label={texts.callBack} value={draft.callBack} onChange={(callBack) => change({ callBack })} isTimely={isTimely} />
      {draft.receipt && <SavedNotice receipt={draft.receipt} isSaved={isSaved} isOver={isOver} isWrapUp={isWrapUp} onSeen={seen} />}
      {/* Below the outcomes: they must not move when the call ends. */}
      {isOver && endsAt !== null && <WrapUpEnd endsAt={endsAt} draft={draft} />}
      {isOver && state !== undefined && !isBusy(state) && !draft.receipt && <Notice tone="warn" title={texts.wrapUpEnded} />}
      <div className="desk-outcome-actions">
        <Button look={isOver ? 'plain' : 'primary'} isPending={isPending} isDisabled={isSaveDisabled} onPress={save}>
          {draft.receipt ? texts.correct : texts.save}
        </Button>
        {isOver && (
          <EndButton
            isSaved={isSaved}
            isDisabled={isIncomplete}
            isPending={isPending}
            next={pause}
            onSubmit={() => void submit(pause ?? { state: 'READY' })}
          />
        )}
      </div>
    </section>
  )
}

/**
 * When the call ends, the outcomes get the focus, except from who is in the notes. When another call comes up, they go on in its notes: else the rest
 * of a word would be taken for shortcuts, which choose an outcome, or answer.
 */
function useFocus(frame: RefObject<HTMLElement | null>, isOver: boolean): void {
  useLayoutEffect(() => {
    const notes = frame.current?.querySelector('textarea')
    if (wasInNotes) notes?.focus({ preventScroll: true })
    return () => {
      wasInNotes = document.activeElement === notes
      queueMicrotask(() => (wasInNotes = false))
    }
  }, [frame])
  useEffect(() => {
    const isInNotes = document.activeElement?.matches('textarea') === true
    if (isOver && !isInNotes) frame.current?.querySelector<HTMLElement>('[role="radio"], button')?.focus({ preventScroll: true })
  }, [frame, isOver])
}

type SavedProps = {
  readonly receipt: NonNullable<Draft['receipt']>
  readonly isSaved: boolean
  readonly isOver: boolean
  readonly isWrapUp: boolean
  readonly onSeen: () => void
}

function SavedNotice({ receipt, isSaved, isOver, isWrapUp, onSeen }: SavedProps) {
  const texts = useDeskTexts()
  const isAutomatic = receipt.isAutomatic === true
  const advice = isAutomatic ? texts.automaticAdvice : isOver && isWrapUp ? texts.correctAdvice : null
  return (
    <Notice
      tone={isSaved ? 'good' : 'warn'}
      role="status"
      title={isAutomatic ? texts.savedAtEnd(receipt.disposition) : savedText(receipt, isOver, texts)}
      {...(isAutomatic && !isWrapUp && { actions: <Button onPress={onSeen}>{texts.seen}</Button> })}
    >
      {(!isSaved || advice !== null) && <p>{isSaved ? advice : texts.unsavedCorrection}</p>}
    </Notice>
  )
}

type EndProps = {
  readonly next: Extract<StateChoice, { readonly state: 'NOT_READY' }> | null
  readonly isSaved: boolean
  readonly isDisabled: boolean
  readonly isPending: boolean
  readonly onSubmit: () => void
}

/** Ends the wrap-up, with the outcome if it is not saved yet. A break that was chosen begins when the agent is ready. */
function EndButton({ next, isSaved, isDisabled, isPending, onSubmit }: EndProps) {
  const texts = useDeskTexts()
  const { change, isPending: isChanging } = useStateChange()
  const become = (): void => (isSaved ? void change({ state: 'READY' }) : onSubmit())
  const label = next ? (isSaved ? texts.endAndPause : texts.saveAndPause)(next.reason) : isSaved ? texts.becomeReady : texts.saveAndReady
  useShortcut('e', label, isDisabled || isPending || isChanging ? null : become)
  return (
    <Button look="primary" isPending={isPending || isChanging} isDisabled={isDisabled} onPress={become}>
      {label}
    </Button>
  )
}

/** A key for a button. Null: the button cannot be pressed now. */
function useShortcut(keys: string, label: string, run: (() => void) | null): void {
  const latest = useRef(run)
  // Before the next key: it is about what is on the screen.
  useLayoutEffect(() => {
    latest.current = run
  }, [run])
  const isOn = run !== null
  const shortcuts = useMemo(() => (isOn ? [{ keys, label, run: () => latest.current?.() }] : []), [keys, label, isOn])
  useShortcuts(shortcuts)
}

function savedText(
  { disposition, outcome }: NonNullable<Draft['receipt']>,
  isOver: boolean,
  texts: ReturnType<typeof useDeskTexts>,
): string {
  return outcome === 'QUEUED' && !isOver ? texts.queued(disposition) : texts.saved(disposition)
}

type DispositionsProps = { readonly draft: Draft; readonly onChoose: (disposition: string) => void }

/** The workspace's codes, each with its key; without a list, a field for the provider's. */
function Dispositions({ draft: { disposition }, onChoose }: DispositionsProps) {
  const texts = useDeskTexts()
  const { dispositions } = useCallSettings()
  if (dispositions.length === 0) {
    return <Field label={texts.dispositionLabel} value={disposition ?? ''} onChange={onChoose} maxLength={100} />
  }
  return (
    <div role="group" aria-label={texts.dispositionLabel}>
      <p className="ui-label" aria-hidden="true">
        {texts.dispositionLabel}
      </p>
      <div className="desk-dispositions">
        {dispositions.map((one, at) => (
          <ToggleButton key={one} className="desk-disposition" isSelected={one === disposition} onChange={() => onChoose(one)}>
            {at < 9 ? <kbd aria-hidden="true">{at + 1}</kbd> : <span />}
            <span>{one}</span>
            {one === disposition && <Check aria-hidden="true" />}
          </ToggleButton>
        ))}
      </div>
    </div>
  )
}

function useOutcomeShortcuts({ change }: Drafting, focusNotes: () => void): void {
  const texts = useDeskTexts()
  const { dispositions } = useCallSettings()
  const shortcuts = useMemo(
    () => [
      ...dispositions
        .slice(0, 9)
        .map((disposition, at) => ({ keys: String(at + 1), label: texts.choosesOutcome(disposition), run: () => change({ disposition }) })),
      { keys: 'n', label: texts.notes, run: focusNotes },
    ],
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the ref behind `focusNotes` never changes
    [dispositions, change, texts],
  )
  useShortcuts(shortcuts)
}
