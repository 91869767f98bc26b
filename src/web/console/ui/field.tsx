import type { ReactNode } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import { TextField, type TextFieldProps } from 'react-aria-components/TextField'
import './field.css'

export type FieldProps = Omit<TextFieldProps, 'className' | 'style' | 'children'> & {
  readonly label: string
  /** The label is read out, not shown. */
  readonly isLabelHidden?: boolean
  readonly hint?: ReactNode
  /** What is wrong with the value. The field is invalid then. */
  readonly error?: string | null
  readonly placeholder?: string
  /** A field of several lines. */
  readonly rows?: number
}

/** A text with its label. */
export function Field({ label, isLabelHidden = false, hint, error, placeholder, rows, ...props }: FieldProps) {
  const shown = placeholder === undefined ? {} : { placeholder }
  return (
    <TextField {...props} className="ui-field" isInvalid={Boolean(error)} {...(isLabelHidden && { 'aria-label': label })}>
      {!isLabelHidden && <Label className="ui-label">{label}</Label>}
      {rows === undefined ? <Input className="ui-input" {...shown} /> : <TextArea className="ui-input" rows={rows} {...shown} />}
      {hint !== undefined && (
        <Text slot="description" className="ui-hint">
          {hint}
        </Text>
      )}
      <FieldError className="ui-field-error">{error}</FieldError>
    </TextField>
  )
}
