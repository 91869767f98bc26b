import { useId, type ReactNode } from 'react'
import { Switch as AriaSwitch } from 'react-aria-components/Switch'
import './field.css'
import './switch.css'

export type SwitchProps = {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
  readonly isDisabled?: boolean
}

/** On or off. It applies when the form is sent, or at once where there is no form. */
export function Switch({ label, hint, ...props }: SwitchProps) {
  const id = useId()
  return (
    <div className="ui-field">
      <AriaSwitch {...props} className="ui-switch" {...(hint !== undefined && { 'aria-describedby': id })}>
        <span className="ui-label">{label}</span>
        <span className="ui-switch-track" aria-hidden="true" />
      </AriaSwitch>
      {hint !== undefined && (
        <span id={id} className="ui-hint">
          {hint}
        </span>
      )}
    </div>
  )
}
