import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import './button.css'

export type ButtonProps = Omit<AriaButtonProps, 'className' | 'style' | 'children' | 'isPending'> & {
  /** One `primary` button for each screen or dialog. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly size?: 'm' | 's'
  readonly icon?: ReactNode
  /** It works, and takes no second press. */
  readonly isPending?: boolean
  /** Left out for a button with an icon alone: then it needs an `aria-label`. */
  readonly children?: ReactNode
}

/** React Aria's own `isPending` announces a label that is gone when the button is. */
export function Button({ look = 'plain', size = 'm', icon, isPending = false, children, ...props }: ButtonProps) {
  const shape = children === undefined ? ' ui-button-square' : ''
  const { onPress, type, ...rest } = props
  const pressed = isPending ? { type: 'button' as const } : { ...(type && { type }), ...(onPress && { onPress }) }
  return (
    <AriaButton {...rest} {...pressed} className={`ui-button ui-button-${look} ui-button-${size}${shape}`}>
      {isPending ? <span className="ui-button-spinner" aria-hidden="true" /> : icon}
      {children !== undefined && <span>{children}</span>}
    </AriaButton>
  )
}
