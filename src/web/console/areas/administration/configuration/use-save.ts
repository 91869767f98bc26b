import type { ServiceError } from '@call-center-sidecar/client'
import { useCallback, useRef } from 'react'
import { useClient } from 'urql'
import { useAction } from '../../../data/use-action.ts'
import { showToast } from '../../../ui/toast.ts'
import type { Conflict } from './conflict-view.tsx'
import { currentSectionQuery, saveSection, versionOf } from './documents.ts'
import { patchOf } from './form/changes.ts'
import type { SectionForm } from './form/use-section-form.ts'
import { listOf, type Values, valuesOf } from './form/values.ts'
import type { SectionName } from './sections.ts'
import { useConfigurationTexts } from './texts.ts'

type Saving = {
  readonly section: SectionName
  /** The version that the form began with. */
  readonly document: Values
  readonly form: SectionForm
  /** Somebody else stored a version since then. */
  readonly onConflict: (conflict: Conflict) => void
  readonly onRefused?: () => void
}

/** Saves the changes of a form, if nobody else has changed the section. `save` returns the stored document, or null if it was refused. */
export function useSave({ section, document, form, onConflict, onRefused }: Saving) {
  const texts = useConfigurationTexts()
  const client = useClient()
  const shown = useRef({ form, onConflict, onRefused })
  shown.current = { form, onConflict, onRefused }
  const refused = useCallback(
    (error: ServiceError): boolean => {
      shown.current.onRefused?.()
      if (error.reason !== 'CHANGED_MEANWHILE') return shown.current.form.showRefusal(error)
      const showConflict = async (): Promise<void> => {
        const { data } = await client.query(currentSectionQuery, { section }, { requestPolicy: 'network-only' }).toPromise()
        if (data) shown.current.onConflict({ document: data.configuration, ...lastChange(error) })
        else showToast({ tone: 'bad', title: texts.conflictTitle, text: texts.conflictUnread })
      }
      void showConflict()
      return true
    },
    [client, section, texts],
  )
  const { run, isPending } = useAction(saveSection, refused)
  const save = async (): Promise<Values | null> => {
    const data = await run({ section, document: patchOf(form.changes), ifVersion: versionOf(document) })
    return data?.saveConfiguration ?? null
  }
  return { save, isPending }
}

/** Who stored the version that is in the way: the newest of `data.changes`. */
function lastChange({ data }: ServiceError): Pick<Conflict, 'who' | 'at'> {
  const { changedAt, changedBy } = valuesOf(listOf(data?.['changes'])[0])
  const { name } = valuesOf(changedBy)
  return { who: typeof name === 'string' ? name : null, at: typeof changedAt === 'string' ? changedAt : new Date().toISOString() }
}
