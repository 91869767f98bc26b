import type { ReactNode } from 'react'
import { useUiTexts } from './texts.ts'
import './states.css'

/** Nothing to show: says so, and what to do. */
export function EmptyState({ icon, title, children }: { readonly icon: ReactNode; readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="ui-empty">
      <span className="ui-empty-icon" aria-hidden="true">
        {icon}
      </span>
      <p className="ui-empty-title">{title}</p>
      {children !== undefined && <div className="ui-empty-text">{children}</div>}
    </div>
  )
}

/** What comes soon, in its later size. `rows`: lines of a list. */
export function Skeleton({ rows = 1 }: { readonly rows?: number }) {
  const texts = useUiTexts()
  return (
    <div className="ui-skeleton" role="status" aria-label={texts.loading}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className="ui-skeleton-row" />
      ))}
    </div>
  )
}
