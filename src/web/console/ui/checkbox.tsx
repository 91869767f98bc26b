import type { ReactNode } from 'react'
import './checkbox.css'

type CheckboxProps = {
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly isDisabled?: boolean
  /** Left out for a box in a table: then `name` is its name. */
  readonly children?: ReactNode
  readonly name?: string
  readonly hint?: ReactNode
}

export function Checkbox({ isChecked, onChange, isDisabled = false, children, name, hint }: CheckboxProps) {
  return (
    <label className="ui-checkbox">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        {...(name !== undefined && { 'aria-label': name })}
      />
      {children !== undefined && (
        <span>
          {children}
          {hint !== undefined && <span className="ui-hint">{hint}</span>}
        </span>
      )}
    </label>
  )
}
