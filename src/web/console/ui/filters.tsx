import type { ReactNode } from 'react'
import './filters.css'

/** The controls that choose what a list shows, in a row. `actions`: buttons at its end. */
export function Filters({
  label,
  children,
  actions,
}: {
  readonly label: string
  readonly children: ReactNode
  readonly actions?: ReactNode
}) {
  return (
    <div className="ui-filters" role="search" aria-label={label}>
      {children}
      {actions !== undefined && <div className="ui-filters-actions">{actions}</div>}
    </div>
  )
}
