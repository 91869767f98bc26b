import type { ReactNode } from 'react'
import type { Change } from './changes.ts'
import { useForm } from './form-context.ts'
import { ShownValue } from './shown-value.tsx'

type ChangesProps = {
  readonly label: string
  readonly changes: readonly Change[]
  /** Titles of the two values. */
  readonly titles: readonly [field: string, before: string, after: string]
  /** A further column. */
  readonly more?: { readonly title: string; readonly cell: (change: Change) => ReactNode }
}

/** Fields and their values before and after, one below the other on a phone. */
export function ChangesTable({ label, changes, titles: [field, before, after], more }: ChangesProps) {
  const { names } = useForm()
  return (
    <div className="config-changes" role="table" aria-label={label}>
      <div role="row" className="config-changes-head">
        {[field, before, after, ...(more ? [more.title] : [])].map((title) => (
          <span key={title} role="columnheader">
            {title}
          </span>
        ))}
      </div>
      {changes.map((change) => (
        <div key={change.path.join('.')} role="row" className="config-change">
          <span role="cell" className="config-change-field">
            {change.path.map((_, at) => names.label(change.path.slice(0, at + 1))).join(' › ')}
          </span>
          <span role="cell" className="config-before" data-title={before}>
            <ShownValue field={change.field} path={change.path} value={change.before} />
          </span>
          <span role="cell" className="config-after" data-title={after}>
            <ShownValue field={change.field} path={change.path} value={change.after} />
          </span>
          {more && (
            <span role="cell" className="config-more">
              {more.cell(change)}
            </span>
          )}
        </div>
      ))}
    </div>
  )
}
