import { useFormats } from '../../../../i18n/format.ts'
import { useForm } from './form-context.ts'
import { useFormTexts } from './form-texts.ts'
import { chosenOption, type Field } from './schema.ts'
import { listOf, masked, type Path, textOf, valuesOf } from './values.ts'

type ShownProps = { readonly field: Field; readonly path: Path; readonly value: unknown }

/** A value of a field, to read: in a list of changes. A secret is only "set" or "not set". */
export function ShownValue({ field, path, value }: ShownProps) {
  const { names } = useForm()
  const texts = useFormTexts()
  const { number } = useFormats()
  if (value === null || value === undefined || value === '') return <span className="config-empty">{texts.notSet}</span>
  switch (field.kind) {
    case 'text':
      return field.form === 'SECRET' ? <SecretValue value={value} /> : <Text field={field} value={value} />
    case 'number':
      return <span className="numbers">{typeof value === 'number' ? number(value) : textOf(value)}</span>
    case 'choice':
      return typeof value === 'string' || typeof value === 'number' ? names.value(value) : null
    case 'toggle':
      return value === true ? texts.yes : texts.no
    case 'variant':
      return chosenOption(field, value)?.title ?? texts.none
    case 'texts':
    case 'set':
      return (
        <Lines
          lines={listOf(value).map((entry) => (field.kind === 'set' ? names.value(String(entry)) : String(entry)))}
          isJoined={field.kind === 'set'}
        />
      )
    case 'items':
      return <Lines lines={listOf(value).map((entry) => entryText(entry, names.value))} />
    case 'group':
    case 'unknown':
      return <code>{path.join('.')}</code>
  }
}

function Text({ field, value }: { readonly field: Extract<Field, { kind: 'text' }>; readonly value: unknown }) {
  const text = String(value)
  if (field.form !== 'COLOR') return <span className="config-text">{text}</span>
  return (
    <span className="config-swatch">
      <span style={{ background: text }} aria-hidden="true" />
      {text}
    </span>
  )
}

/** `***masked***` alone, or with a fingerprint, is a secret that is stored; any other text is the one that the person just typed. */
function SecretValue({ value }: { readonly value: unknown }) {
  const texts = useFormTexts()
  const text = String(value)
  if (!text.startsWith(masked)) return texts.replaced
  const print = text.slice(masked.length)
  return (
    <>
      {texts.isSet} {print !== '' && <span className="config-print">{texts.fingerprint(print)}</span>}
    </>
  )
}

function Lines({ lines, isJoined = false }: { readonly lines: readonly string[]; readonly isJoined?: boolean }) {
  const texts = useFormTexts()
  if (lines.length === 0) return <span className="config-empty">{texts.noEntries}</span>
  if (isJoined) return lines.join(', ')
  return (
    <ul className="config-lines">
      {lines.map((line, at) => (
        <li key={`${at}-${line}`}>{line}</li>
      ))}
    </ul>
  )
}

function entryText(entry: unknown, shown: (value: string | number) => string): string {
  if (typeof entry === 'string') return entry
  const parts = Object.values(valuesOf(entry)).map((value) =>
    Array.isArray(value) ? value.map((one) => shown(String(one))).join(', ') : typeof value === 'number' ? `× ${value}` : textOf(value),
  )
  return parts.join(' · ')
}
