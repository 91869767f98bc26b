import { ToggleButton } from 'react-aria-components/ToggleButton'
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup'
import type { Option } from './select.tsx'
import './segments.css'

type SegmentsProps<Value extends string> = {
  readonly label: string
  readonly options: readonly Option<Value>[]
  readonly value: Value
  readonly onChange: (value: Value) => void
}

/** One of two to four values, all visible. */
export function Segments<Value extends string>({ label, options, value, onChange }: SegmentsProps<Value>) {
  const choose = (keys: ReadonlySet<unknown>): void => {
    const chosen = options.find((option) => keys.has(option.value))
    if (chosen) onChange(chosen.value)
  }
  return (
    <ToggleButtonGroup
      className="ui-segments"
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={choose}
    >
      {options.map((option) => (
        <ToggleButton key={option.value} id={option.value} className="ui-segment">
          {option.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
