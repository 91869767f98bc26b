import type { ReactNode } from 'react'
import './badge.css'

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info'

/** A state in one or two words. The dot repeats the tone, the words say it. */
export function Badge({
  tone = 'neutral',
  hasDot = false,
  children,
}: {
  readonly tone?: Tone
  readonly hasDot?: boolean
  readonly children: ReactNode
}) {
  return (
    <span className={`ui-badge ui-tone-${tone}`}>
      {hasDot && <span className="ui-dot" aria-hidden="true" />}
      {children}
    </span>
  )
}
