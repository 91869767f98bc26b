import { useState } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextField as AriaTextField } from 'react-aria-components/TextField'
import { useFormats } from '../../../../i18n/format.ts'
import { Field } from '../../../../ui/field.tsx'
import { useForm } from './form-context.ts'
import { useFormTexts } from './form-texts.ts'
import type { NumberField, TextField, TextsField } from './schema.ts'
import { listOf, type Path, textOf, valueAt } from './values.ts'

export type ControlProps<Of> = { readonly field: Of; readonly path: Path }

export function TextControl({ field, path }: ControlProps<TextField>) {
  const { names, draft, set, touch, errorAt } = useForm()
  const texts = useFormTexts()
  const { number } = useFormats()
  const example = names.example(path)
  const isLong = field.form === 'LONG'
  const hint = [names.hint(path, field), isLong && field.maxLength !== null ? texts.atMostChars(number(field.maxLength)) : null]
  return (
    <Field
      label={names.label(path)}
      hint={hint.filter((part) => part !== null).join('. ') || undefined}
      value={textOf(valueAt(draft, path))}
      onChange={(text) => set(path, text === '' && field.isNullable ? null : text)}
      onBlur={() => touch(path)}
      error={errorAt(path)}
      spellCheck={isLong ? 'true' : 'false'}
      autoComplete="off"
      {...(isLong && { rows: field.maxLength !== null && field.maxLength > 1_000 ? 6 : 3 })}
      {...(example !== null && { placeholder: example })}
    />
  )
}

const numberForm = /^-?\d+(?:\.\d+)?$/

export function NumberControl({ field, path }: ControlProps<NumberField>) {
  const { names, draft, set, touch, errorAt } = useForm()
  const texts = useFormTexts()
  const { number } = useFormats()
  const { minimum, maximum, isInteger, isNullable } = field
  const description = names.hint(path, field) ?? ''
  const range =
    minimum !== null && maximum !== null && !description.includes(number(maximum)) ? [texts.range(number(minimum), number(maximum))] : []
  const change = (text: string): void => {
    const trimmed = text.trim()
    if (trimmed === '' && isNullable) set(path, null)
    else set(path, numberForm.test(trimmed) ? Number(trimmed) : trimmed)
  }
  return (
    <Field
      label={names.label(path)}
      hint={[description, ...range].filter((part) => part !== '').join('. ') || undefined}
      value={textOf(valueAt(draft, path))}
      onChange={change}
      onBlur={() => touch(path)}
      error={errorAt(path)}
      inputMode={isInteger ? 'numeric' : 'decimal'}
      autoComplete="off"
      {...(isNullable && { placeholder: texts.notSet })}
    />
  )
}

/** One text in each line: a list of the provider can be pasted. */
export function TextsControl({ field, path }: ControlProps<TextsField>) {
  const { names, draft, set, touch, errorAt } = useForm()
  const texts = useFormTexts()
  const entries = listOf(valueAt(draft, path))
  const [text, setText] = useState(() => entries.map(textOf).join('\n'))
  const change = (next: string): void => {
    setText(next)
    const lines = next.split('\n').map((line) => line.trim())
    set(
      path,
      lines.filter((line) => line !== ''),
    )
  }
  return (
    <Field
      label={names.label(path)}
      hint={`${names.hint(path, field) ?? ''}. ${texts.onePerLine} (${texts.count(entries.length)})`}
      value={text}
      onChange={change}
      onBlur={() => touch(path)}
      error={errorAt(path)}
      rows={Math.min(8, Math.max(3, entries.length + 1))}
      spellCheck="false"
    />
  )
}

/** A colour as text, with the browser's own picker. */
export function ColorControl({ field, path }: ControlProps<TextField>) {
  const { names, draft, set, touch, errorAt } = useForm()
  const texts = useFormTexts()
  const value = textOf(valueAt(draft, path))
  const hint = names.hint(path, field)
  const error = errorAt(path)
  return (
    <AriaTextField
      className="ui-field"
      value={value}
      onChange={(text) => set(path, text)}
      onBlur={() => touch(path)}
      isInvalid={error !== null}
      autoComplete="off"
    >
      <Label className="ui-label">{names.label(path)}</Label>
      <div className="config-color">
        <input
          type="color"
          aria-label={texts.pickColor(names.label(path))}
          value={/^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : '#000000'}
          onChange={({ target }) => set(path, target.value)}
        />
        <Input className="ui-input numbers" spellCheck="false" />
      </div>
      {hint !== null && (
        <Text slot="description" className="ui-hint">
          {hint}
        </Text>
      )}
      <FieldError className="ui-field-error">{error}</FieldError>
    </AriaTextField>
  )
}
