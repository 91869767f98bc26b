import { useId } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import { Select } from '../../../../ui/select.tsx'
import { Switch } from '../../../../ui/switch.tsx'
import '../../../../ui/segments.css'
import { useForm } from './form-context.ts'
import type { ChoiceField, SetField, ToggleField } from './schema.ts'
import type { ControlProps } from './text-controls.tsx'
import { listOf, textOf, valueAt } from './values.ts'

export function ToggleControl({ field, path }: ControlProps<ToggleField>) {
  const { names, draft, set } = useForm()
  return (
    <Switch
      label={names.label(path)}
      hint={names.hint(path, field) ?? undefined}
      isSelected={valueAt(draft, path) === true}
      onChange={(isOn) => set(path, isOn)}
    />
  )
}

export function ChoiceControl({ field, path }: ControlProps<ChoiceField>) {
  const { names, draft, set, errorAt } = useForm()
  const value = valueAt(draft, path)
  const choose = (text: string): void =>
    set(
      path,
      field.values.find((one) => String(one) === text),
    )
  return (
    <Select
      label={names.label(path)}
      hint={names.hint(path, field) ?? undefined}
      error={errorAt(path)}
      options={field.values.map((one) => ({ value: String(one), label: names.value(one) }))}
      value={value === undefined || value === null ? null : textOf(value)}
      onChange={choose}
    />
  )
}

export function SetControl({ field, path }: ControlProps<SetField>) {
  const { names, draft, set, touch, errorAt } = useForm()
  const [label, hint] = [useId(), useId()]
  const chosen = listOf(valueAt(draft, path)).filter((value) => typeof value === 'string')
  const error = errorAt(path)
  const change = (keys: ReadonlySet<unknown>): void => {
    touch(path)
    set(
      path,
      field.values.filter((value) => keys.has(value)),
    )
  }
  return (
    <div className="ui-field">
      <span className="ui-label" id={label}>
        {names.label(path)}
      </span>
      <div>
        <ToggleButtonGroup
          className="ui-segments config-set"
          aria-labelledby={label}
          aria-describedby={hint}
          selectionMode="multiple"
          selectedKeys={chosen}
          onSelectionChange={change}
        >
          {field.values.map((value) => (
            <ToggleButton key={value} id={value} className="ui-segment">
              {names.value(value)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </div>
      <span className="ui-hint" id={hint}>
        {names.hint(path, field)}
      </span>
      {error !== null && <span className="ui-field-error">{error}</span>}
    </div>
  )
}
