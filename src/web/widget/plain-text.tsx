import type { JSX } from 'preact'

/** A model's text, as text: lines stay lines, `**words**` become bold. Nothing in it becomes a link or an element of its own. */
export function PlainText({ text }: { readonly text: string }): JSX.Element {
  const tidy = text
    .trim()
    .replace(/^\s*[-*] /gm, '• ')
    .replace(/^#{1,6} +/gm, '')
  const pieces = tidy.split(/\*\*([^*\n]+)\*\*/)
  return <p>{pieces.map((piece, at) => (at % 2 === 1 ? <strong>{piece}</strong> : piece))}</p>
}
