import type { ServiceError } from '@call-center-sidecar/client'
import { useCallback, useMemo, useState } from 'react'
import { applied, type Change, changesBetween } from './changes.ts'
import { faultsOf } from './faults.ts'
import { useFieldNames } from './field-names.ts'
import { focusField } from './focus-field.ts'
import type { FormState } from './form-context.ts'
import type { Field } from './schema.ts'
import { type Path, type Values, valuesOf, withValueAt } from './values.ts'

/** Something that is wrong with a field, as the person reads it. */
export type ShownFault = { readonly path: string; readonly label: string; readonly message: string }

export type SectionForm = {
  readonly form: FormState
  readonly changes: readonly Change[]
  /** Counts up when the draft is replaced as a whole: controls with a text of their own begin again. */
  readonly generation: number
  /** True if nothing is wrong, as far as the page knows. From now on all fields show what is wrong. */
  readonly check: () => boolean
  /** Faults of all fields that the person may see now. */
  readonly faults: readonly ShownFault[]
  /** Shows what the service found, at the fields that it names. False if it names none. */
  readonly showRefusal: (error: ServiceError) => boolean
  readonly replaceDraft: (draft: Values) => void
  /** The draft that was sent is stored, as this document. What was typed since then stays. */
  readonly accept: (sent: Values, stored: Values) => void
}

type Given = { readonly slug: string; readonly fields: readonly Field[]; readonly document: Values; readonly initial?: Values | null }

/** The state of a form for a section. `initial`: a draft to begin with. */
export function useSectionForm({ slug, fields, document, initial = null }: Given): SectionForm {
  const names = useFieldNames(slug)
  const { base, fingerprints } = useMemo(() => split(document), [document])
  const [draft, setDraft] = useState<Values>(initial ?? base)
  const [generation, setGeneration] = useState(0)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const [isChecked, setChecked] = useState(false)
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({})

  const changes = useMemo(() => changesBetween(fields, [base, draft]), [fields, base, draft])
  const own = useMemo(
    () => new Map(faultsOf(fields, draft).map(({ path, fault }) => [path.join('.'), { path, fault }] as const)),
    [fields, draft],
  )
  const set = useCallback((path: Path, value: unknown) => {
    setDraft((present) => valuesOf(withValueAt(present, path, value)))
    setRefused((present) => without(present, path.join('.')))
  }, [])
  const touch = useCallback((path: Path) => setTouched((present) => new Set([...present, path.join('.')])), [])
  const errorAt = (path: Path): string | null => {
    const key = path.join('.')
    const found = isChecked || touched.has(key) ? own.get(key) : undefined
    return found ? names.fault(found.fault, found.path) : (refused[key] ?? null)
  }
  const labelOf = (key: string): string => names.label(key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part)))
  const visible = new Set([...(isChecked ? own.keys() : [...own.keys()].filter((key) => touched.has(key))), ...Object.keys(refused)])
  return {
    form: { slug, names, base, draft, fingerprints, set, touch, errorAt },
    changes,
    generation,
    check() {
      setChecked(true)
      const [first] = own.keys()
      if (first !== undefined) focusField(first)
      return first === undefined
    },
    faults: [...visible].map((path) => {
      const found = own.get(path)
      return { path, label: labelOf(path), message: found ? names.fault(found.fault, found.path) : (refused[path] ?? '') }
    }),
    showRefusal({ data }) {
      const named = (data?.fields ?? []).map(({ path, message }) => [withinDocument(path), message] as const)
      setRefused(Object.fromEntries(named))
      const [first] = named
      if (first) focusField(first[0])
      return named.length > 0
    },
    replaceDraft(next) {
      setDraft(next)
      setRefused({})
      setTouched(new Set())
      setChecked(false)
      setGeneration((present) => present + 1)
    },
    accept(sent, stored) {
      setDraft((present) => applied(split(stored).base, changesBetween(fields, [sent, present])))
      setRefused({})
      setChecked(false)
    },
  }
}

function split({ _meta, ...base }: Values): { readonly base: Values; readonly fingerprints: Values } {
  return { base, fingerprints: valuesOf(valuesOf(_meta)['secrets']) }
}

/** Without what was refused at this field or below it; another value may also make others right. */
function without(refused: Readonly<Record<string, string>>, path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(refused).filter(([key]) => key !== path && !key.startsWith(`${path}.`)))
}

/** `document.sip.domain` as `sip.domain`. */
function withinDocument(path: string): string {
  return path.split('.').slice(1).join('.')
}
