import type { JSX } from 'preact'

/** The heading of a view; the focus goes there when the view appears, so that a screen reader begins with it. */
export function ViewHeading({ text, lead }: { readonly text: string; readonly lead?: string }): JSX.Element {
  return (
    <div>
      <h3 tabIndex={-1} class="view-title">
        {text}
      </h3>
      {lead && <p class="muted">{lead}</p>}
    </div>
  )
}
