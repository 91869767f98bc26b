import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/**
 * What a screen reader says of the conversation: each reply once, when it is complete. The visible log is no live region, or its streamed text
 * would be read word by word. `lines` is null while a reply is under way.
 */
export function SpokenLog({ lines }: { readonly lines: readonly string[] | null }): JSX.Element {
  const said = useRef(lines?.length ?? 0)
  const [fresh, setFresh] = useState<readonly { readonly at: number; readonly line: string }[]>([])
  useEffect(() => {
    if (!lines) return
    // Another conversation has begun: what was said in the one before is no news, and what comes is.
    if (lines.length < said.current) {
      said.current = lines.length
      return setFresh([])
    }
    const at = said.current
    said.current = lines.length
    setFresh((before) => [...before, ...lines.slice(at).map((line, index) => ({ at: at + index, line }))].slice(-5))
  }, [lines?.length])
  return (
    <div class="hidden" role="log" aria-live="polite" aria-label="Replies">
      {fresh.map(({ at, line }) => (
        <p key={at}>{line}</p>
      ))}
    </div>
  )
}
