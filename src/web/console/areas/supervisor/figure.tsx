import type { ReactNode } from 'react'
import type { Tone } from '../../ui/badge.tsx'
import './supervisor.css'

/** Numbers beside each other, in one frame. */
export function FigureRow({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section className="sup-part" aria-label={label}>
      <dl className="sup-figures">{children}</dl>
    </section>
  )
}

export type FigureProps = {
  readonly title: string
  readonly value: string
  /** Colours the number. */
  readonly tone?: Tone
  /** One line that explains the number. */
  readonly children?: ReactNode
}

/** One number with its name, and one line below it. */
export function Figure({ title, value, tone = 'neutral', children }: FigureProps) {
  return (
    <div className="sup-figure">
      <dt>{title}</dt>
      <dd className={`sup-figure-value ui-tone-${tone}`}>{value}</dd>
      {children !== undefined && <dd className="sup-figure-note">{children}</dd>}
    </div>
  )
}
