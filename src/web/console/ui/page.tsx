import { type ReactNode, useEffect } from 'react'
import './page.css'

export type PageProps = {
  readonly title: string
  /** One line below the title. */
  readonly lead?: ReactNode
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Uses the whole width: for tables, charts and desks. */
  readonly isWide?: boolean
}

/** A screen: its title is the only `h1` and the title of the tab. */
export function Page({ title, lead, actions, children, isWide = false }: PageProps) {
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <div className={isWide ? 'ui-page ui-page-wide' : 'ui-page'}>
      <header className="ui-page-head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p className="ui-page-lead">{lead}</p>}
        </div>
        {actions !== undefined && <div className="ui-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A part of a screen with a heading. `aria-label` of the region is its title. */
export function Section({
  title,
  actions,
  children,
}: {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section className="ui-section" aria-label={title}>
      <header className="ui-section-head">
        <h2>{title}</h2>
        {actions !== undefined && <div className="ui-actions">{actions}</div>}
      </header>
      {children}
    </section>
  )
}

/** A surface with a border. `isFlush`: its content, such as a table, goes to the edge. */
export function Card({ children, isFlush = false }: { readonly children: ReactNode; readonly isFlush?: boolean }) {
  return <div className={isFlush ? 'ui-card ui-card-flush' : 'ui-card'}>{children}</div>
}
