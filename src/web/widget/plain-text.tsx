import type { JSX } from 'preact'

/** A model's text: keeps line breaks, shows `**words**` in bold. Nothing else becomes markup or a link. */
export function PlainText({ text }: { readonly text: string }): JSX.Element {
  const tidy = text
    .trim()
    .replace(/^[ \t]*[-*] /gm, '• ')
    .replace(/^#{1,6} +/gm, '')
  const pieces = tidy.split(/\*\*([^*\n]+)\*\*/)
  return <p>{pieces.map((piece, at) => (at % 2 === 1 ? <strong>{piece}</strong> : piece))}</p>
}
