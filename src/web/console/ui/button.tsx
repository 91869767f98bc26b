import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import './button.css'

export type ButtonProps = Omit<AriaButtonProps, 'className' | 'style' | 'children'> & {
  /** One `primary` button for each screen or dialog. */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly size?: 'm' | 's'
  readonly icon?: ReactNode
  /** Left out for a button with an icon alone: then it needs an `aria-label`. */
  readonly children?: ReactNode
}

/** `isPending` shows that it works, and takes no second press. */
export function Button({ look = 'plain', size = 'm', icon, children, ...props }: ButtonProps) {
  const shape = children === undefined ? ' ui-button-square' : ''
  return (
    <AriaButton {...props} className={`ui-button ui-button-${look} ui-button-${size}${shape}`}>
      {({ isPending }) => (
        <>
          {isPending ? <span className="ui-button-spinner" aria-hidden="true" /> : icon}
          {children !== undefined && <span>{children}</span>}
        </>
      )}
    </AriaButton>
  )
}
