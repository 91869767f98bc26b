import type { ServiceError } from '@call-center-sidecar/client'
import { useCallback, useRef, useState } from 'react'
import { useAction } from '../../../data/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { showToast } from '../../../ui/toast.ts'
import { type Conflict, ConflictView } from './conflict-view.tsx'
import { testSection, type TestResult } from './documents.ts'
import { type Change, patchOf } from './form/changes.ts'
import { ChangesTable } from './form/changes-table.tsx'
import { FaultSummary } from './form/fault-summary.tsx'
import { FormCards } from './form/form-cards.tsx'
import { FormProvider } from './form/form-context.ts'
import type { Field } from './form/schema.ts'
import { type SectionForm, useSectionForm } from './form/use-section-form.ts'
import type { Values } from './form/values.ts'
import { LeaveGuard } from './leave-guard.tsx'
import type { Section } from './sections.ts'
import { TestChecks } from './test-result.tsx'
import { useConfigurationTexts } from './texts.ts'
import { ThemePreview } from './theme-preview.tsx'
import { useSave } from './use-save.ts'

export type EditorProps = {
  readonly section: Section
  readonly fields: readonly Field[]
  readonly document: Values
  /** What to begin with, if not with what is stored. */
  readonly draft: Values | null
  /** The section has another version now; `draft`: what the person goes on with. */
  readonly onVersion: (document: Values, draft: Values | null) => void
}

/** The form of a section, for one version of it: edit, test, see what changes, save. */
export function SectionEditor({ section, fields, document, draft, onVersion }: EditorProps) {
  const texts = useConfigurationTexts()
  const form = useSectionForm({ slug: section.slug, fields, document, initial: draft })
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [isReviewing, setReviewing] = useState(false)
  const { test, result, verdict, isTesting } = useTest(section, form)
  const close = (): void => setReviewing(false)
  const saving = useSave({ section: section.name, document, form, onConflict: setConflict, onRefused: close })
  const save = async (): Promise<void> => {
    const stored = await saving.save()
    if (!stored) return
    showToast({ tone: 'good', title: texts.saved, text: texts.savedText })
    onVersion(stored, null)
  }
  const isDirty = form.changes.length > 0
  if (conflict) {
    return (
      <FormProvider value={form.form}>
        <ConflictView
          conflict={conflict}
          fields={fields}
          mine={form.changes}
          onGoOn={(next) => onVersion(conflict.document, next)}
          onDrop={() => onVersion(conflict.document, null)}
        />
        <LeaveGuard isDirty={isDirty} />
      </FormProvider>
    )
  }
  return (
    <FormProvider value={form.form}>
      <div className="config-form" key={form.generation}>
        {section.name === 'THEME' && <ThemePreview draft={form.form.draft} />}
        <FormCards section={section.name} fields={fields} />
      </div>
      <FaultSummary faults={form.faults} />
      {result && <TestChecks result={result} note={isDirty ? texts.testOfChanges : texts.testOfStored} />}
      <SaveBar form={form} isTesting={isTesting} onTest={() => void test()} onReview={() => form.check() && setReviewing(true)} />
      <Review
        changes={form.changes}
        warning={verdict === 'PASSED' ? null : verdict === 'FAILED' ? texts.testFailed : texts.notTested}
        isOpen={isReviewing}
        isSaving={saving.isPending}
        onClose={() => saving.isPending || close()}
        onSave={() => void save()}
      />
      <LeaveGuard isDirty={isDirty} />
    </FormProvider>
  )
}

function useTest(section: Section, form: SectionForm) {
  const [result, setResult] = useState<TestResult | null>(null)
  const [tested, setTested] = useState('')
  const shown = useRef(form)
  shown.current = form
  const refused = useCallback((error: ServiceError) => shown.current.showRefusal(error), [])
  const { run, isPending } = useAction(testSection, refused)
  const test = async (): Promise<void> => {
    setResult(null)
    if (!form.check()) return
    const document = form.changes.length > 0 ? patchOf(form.changes) : null
    const data = await run({ section: section.name, document })
    if (!data) return
    setResult(data.testConfiguration)
    setTested(JSON.stringify(document))
  }
  const isOfNow = result !== null && tested === JSON.stringify(patchOf(form.changes))
  const verdict = !isOfNow ? 'NONE' : result.ok ? 'PASSED' : 'FAILED'
  return { test, result, verdict, isTesting: isPending } as const
}

type SaveBarProps = {
  readonly form: SectionForm
  readonly isTesting: boolean
  readonly onTest: () => void
  readonly onReview: () => void
}

function SaveBar({ form, isTesting, onTest, onReview }: SaveBarProps) {
  const texts = useConfigurationTexts()
  const count = form.changes.length
  return (
    <section
      className="config-bar"
      aria-label={count > 0 ? texts.changes(count) : texts.noChanges}
      {...(count > 0 && { 'data-dirty': true })}
    >
      <p>
        {count === 0 ? (
          texts.noChanges
        ) : (
          <>
            <strong>{texts.changes(count)}</strong> <span>{texts.unsaved}</span>
          </>
        )}
      </p>
      <div className="ui-actions">
        {count > 0 && (
          <Button look="quiet" onPress={() => form.replaceDraft(form.form.base)}>
            {texts.discard}
          </Button>
        )}
        <Button isPending={isTesting} onPress={onTest}>
          {count > 0 ? texts.test : texts.testNow}
        </Button>
        {count > 0 && (
          <Button look="primary" onPress={onReview}>
            {texts.review}
          </Button>
        )}
      </div>
    </section>
  )
}

type ReviewProps = {
  readonly changes: readonly Change[]
  /** These changes were not tested, or their test failed. */
  readonly warning: string | null
  readonly isOpen: boolean
  readonly isSaving: boolean
  readonly onClose: () => void
  readonly onSave: () => void
}

function Review({ changes, warning, isOpen, isSaving, onClose, onSave }: ReviewProps) {
  const texts = useConfigurationTexts()
  return (
    <Dialog
      title={texts.reviewTitle}
      isOpen={isOpen}
      onClose={onClose}
      isWide
      actions={
        <>
          <Button look="quiet" onPress={onClose}>
            {texts.back}
          </Button>
          <Button look="primary" isPending={isSaving} onPress={onSave}>
            {texts.save}
          </Button>
        </>
      }
    >
      {warning !== null && <Notice tone="warn" title={warning} />}
      <ChangesTable label={texts.reviewTitle} changes={changes} titles={[texts.field, texts.before, texts.after]} />
    </Dialog>
  )
}
