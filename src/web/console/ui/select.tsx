import { Check, ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { FieldError } from 'react-aria-components/FieldError'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import { Text } from 'react-aria-components/Text'
import './field.css'
import './select.css'

export type Option<Value extends string> = { readonly value: Value; readonly label: string; readonly icon?: ReactNode }
export type SelectProps<Value extends string> = {
  readonly label: string
  /** The label is read out, not shown. */
  readonly isLabelHidden?: boolean
  readonly hint?: ReactNode
  /** What is wrong with the value. */
  readonly error?: string | null
  readonly options: readonly Option<Value>[]
  readonly value: Value | null
  readonly onChange: (value: Value) => void
  readonly isDisabled?: boolean
}

/** One of some values. */
export function Select<Value extends string>(given: SelectProps<Value>) {
  const { label, isLabelHidden = false, hint, error, options, value, onChange, ...props } = given
  const choose = (key: unknown): void => {
    const chosen = options.find((option) => option.value === key)
    if (chosen) onChange(chosen.value)
  }
  return (
    <AriaSelect
      {...props}
      className="ui-field"
      value={value}
      onChange={choose}
      isInvalid={Boolean(error)}
      {...(isLabelHidden && { 'aria-label': label })}
    >
      {!isLabelHidden && <Label className="ui-label">{label}</Label>}
      <Button className="ui-input ui-select">
        <SelectValue className="ui-select-value" />
        <ChevronDown aria-hidden="true" />
      </Button>
      {hint !== undefined && (
        <Text slot="description" className="ui-hint">
          {hint}
        </Text>
      )}
      <FieldError className="ui-field-error">{error}</FieldError>
      <Popover className="ui-popover ui-select-popover">
        <ListBox className="ui-menu" items={options.map((option) => ({ ...option, id: option.value }))}>
          {(option) => (
            <ListBoxItem className="ui-menu-item" textValue={option.label}>
              {option.icon}
              <span className="ui-menu-label">{option.label}</span>
              <Check className="ui-menu-check" aria-hidden="true" />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
