import { useLayoutEffect, useRef } from 'react'
import { followClock } from './now.ts'

/** How long since a moment: `0:07`, `12:40`, `1:05:09`. Its text is written each second, and nothing is drawn again by React: a wallboard has many. */
export function Timer({ since }: { readonly since: string }) {
  const element = useRef<HTMLTimeElement>(null)
  useLayoutEffect(() => {
    const beganAt = Date.parse(since)
    // The same text node each second: for another one the browser makes new boxes.
    const shown = document.createTextNode('')
    element.current?.replaceChildren(shown)
    const write = (now: number): void => {
      const text = clockText(Math.max(0, Math.floor((now - beganAt) / 1_000)))
      if (shown.data !== text) shown.data = text
    }
    write(Date.now())
    return followClock(write)
  }, [since])
  // Also in a live region it is not read out each second.
  return <time ref={element} aria-live="off" className="numbers" dateTime={since} />
}

export function clockText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const padded = (value: number): string => String(value).padStart(2, '0')
  const rest = `${hours > 0 ? padded(minutes) : minutes}:${padded(seconds % 60)}`
  return hours > 0 ? `${hours}:${rest}` : rest
}
