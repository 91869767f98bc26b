import { Link } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ServiceError } from '@call-center-sidecar/client'
import { useClient, useQuery } from 'urql'
import { refreshTheme } from '../../../data/theme.ts'
import { useAction } from '../../../data/use-action.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { type Conflict, ConflictView } from '../configuration/conflict-view.tsx'
import { sectionQuery, testSection, type TestResult } from '../configuration/documents.ts'
import { patchOf } from '../configuration/form/changes.ts'
import { FaultSummary } from '../configuration/form/fault-summary.tsx'
import { FieldContent, FieldRow } from '../configuration/form/field-row.tsx'
import { FormProvider } from '../configuration/form/form-context.ts'
import { type Field, fieldsOf } from '../configuration/form/schema.ts'
import { type SectionForm, useSectionForm } from '../configuration/form/use-section-form.ts'
import type { Path, Values } from '../configuration/form/values.ts'
import { sectionOf, type SectionName } from '../configuration/sections.ts'
import { TestChecks } from '../configuration/test-result.tsx'
import { ThemePreview } from '../configuration/theme-preview.tsx'
import { useSave } from '../configuration/use-save.ts'
import { useSetupTexts } from './texts.ts'

/** What a step gets. `onChanged`: something was tested or saved, so that the state of the steps may be another one. */
export type StepContentProps = Pick<StepProps, 'isReady' | 'onChanged' | 'onDirty'>

type StepProps = {
  readonly section: SectionName
  /** The fields that the step asks for, in this order. */
  readonly paths: readonly string[]
  /** Something was tested or saved: the state of the steps may be another one. */
  readonly onChanged: () => void
  /** Whether there is something that is not saved. */
  readonly onDirty: (isDirty: boolean) => void
  /** There is nothing left to do: then "Continue" is the main button of the page. */
  readonly isReady: boolean
  /** What is below the form, with what is stored. */
  readonly children?: (document: Values, fields: readonly Field[]) => ReactNode
}

/** A step that is a part of a section: fill in, test, and save if the test passed. */
export function SectionStep({ children, ...props }: StepProps) {
  const [{ data, error }, reload] = useQuery({ query: sectionQuery, variables: { section: props.section }, requestPolicy: 'network-only' })
  // What was saved here, or by somebody else meanwhile.
  const [newer, setNewer] = useState<Values | null>(null)
  const fields = useMemo(() => fieldsOf(data?.configurationSchema), [data?.configurationSchema])
  const [result, setResult] = useState<TestResult | null>(null)
  const document = newer ?? data?.configuration
  if (!document)
    return error ? <ErrorState error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} /> : <Skeleton rows={4} />
  return (
    <>
      <StepForm {...props} fields={fields} document={document} result={result} onResult={setResult} onVersion={setNewer} />
      {children?.(document, fields)}
    </>
  )
}

type StepFormProps = Omit<StepProps, 'children'> & {
  readonly fields: readonly Field[]
  readonly document: Values
  readonly result: TestResult | null
  readonly onResult: (result: TestResult | null) => void
  readonly onVersion: (document: Values) => void
}

function StepForm({ section: name, paths, fields, document, result, isReady, onDirty, ...rest }: StepFormProps) {
  const texts = useSetupTexts()
  const section = sectionOf(name)
  const form = useSectionForm({ slug: section.slug, fields, document })
  const client = useClient()
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const { testAndSave, save, isPending } = useTestAndSave({ section: name, form, document, onConflict: setConflict, ...rest })
  const isDirty = form.changes.length > 0
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  const failed = result?.ok === false
  if (conflict) {
    const { _meta, ...stored } = conflict.document
    const goOn = (draft: Values): void => {
      setConflict(null)
      rest.onResult(null)
      rest.onVersion(conflict.document)
      form.replaceDraft(draft)
      if (name === 'THEME') refreshTheme(client)
      rest.onChanged()
    }
    return (
      <FormProvider value={form.form}>
        <ConflictView conflict={conflict} fields={fields} mine={form.changes} onGoOn={goOn} onDrop={() => goOn(stored)} />
      </FormProvider>
    )
  }
  return (
    <FormProvider value={form.form}>
      {name === 'THEME' && <ThemePreview draft={form.form.draft} />}
      <div className="setup-fields" key={form.generation}>
        {paths.map((path) => {
          const [field, at] = fieldAt(fields, path.split('.'))
          if (!field) return null
          return field.kind === 'variant' ? (
            <FieldContent key={path} field={field} path={at} />
          ) : (
            <FieldRow key={path} field={field} path={at} />
          )
        })}
      </div>
      <FaultSummary faults={form.faults} />
      {result && <TestChecks result={result} note={isDirty ? texts.notSaved : texts.testedStored} />}
      <div className="ui-actions">
        <Button look={isReady && !isDirty ? 'plain' : 'primary'} isPending={isPending} onPress={() => void testAndSave()}>
          {texts.testAndSave}
        </Button>
        {failed && isDirty && (
          <Button isDisabled={isPending} onPress={() => void save()}>
            {texts.saveAnyway}
          </Button>
        )}
        <Link to="/administration/configuration/$section" params={{ section: section.slug }} className="ui-button ui-button-quiet">
          {texts.allFields}
        </Link>
      </div>
    </FormProvider>
  )
}

type Flow = Pick<StepFormProps, 'section' | 'document' | 'onResult' | 'onVersion' | 'onChanged'> & {
  readonly form: SectionForm
  readonly onConflict: (conflict: Conflict) => void
}

function useTestAndSave({ section, form, document, onResult, onVersion, onChanged, onConflict }: Flow) {
  const client = useClient()
  const shown = useRef(form)
  shown.current = form
  const refused = useCallback((error: ServiceError) => shown.current.showRefusal(error), [])
  const testing = useAction(testSection, refused)
  const saving = useSave({ section, document, form, onConflict })
  const isDirty = form.changes.length > 0
  const save = async (): Promise<void> => {
    const sent = form.form.draft
    const stored = await saving.save()
    if (!stored) return
    shown.current.accept(sent, stored)
    onVersion(stored)
    if (section === 'THEME') refreshTheme(client)
    onChanged()
  }
  const testAndSave = async (): Promise<void> => {
    onResult(null)
    if (!form.check()) return
    const tested = isDirty ? patchOf(form.changes) : null
    const data = await testing.run({ section, document: tested })
    if (!data) return
    onResult(data.testConfiguration)
    // A test takes seconds: what was typed meanwhile is not tested, and a save would lose it.
    const isSame = JSON.stringify(patchOf(shown.current.changes)) === JSON.stringify(tested)
    if (data.testConfiguration.ok && isDirty && isSame) await save()
    else onChanged()
  }
  return { testAndSave, save, isPending: testing.isPending || saving.isPending }
}

/** The field at a path of names, and its whole path. */
function fieldAt(fields: readonly Field[], keys: readonly string[], before: Path = []): readonly [field: Field | null, path: Path] {
  const [key = '', ...rest] = keys
  const field = fields.find((one) => one.key === key)
  const path = [...before, key]
  if (!field || rest.length === 0) return [field ?? null, path]
  return field.kind === 'group' ? fieldAt(field.fields, rest, path) : [null, path]
}
