import { useEffect, useState } from 'react'

/** The colour that a custom property has here, as a canvas takes it: computed, without other properties in it. */
export function inkOf(element: HTMLElement, property: string): string {
  // A new element: the colour of one that is shown would first be that of a transition.
  const sample = element.appendChild(document.createElement('span'))
  sample.style.color = `var(${property})`
  const { color } = getComputedStyle(sample)
  sample.remove()
  return color
}

/** Changes when the page becomes light or dark, or gets the workspace's colour: a canvas does not follow by itself. */
export function usePaletteVersion(): number {
  const [version, setVersion] = useState(0)
  useEffect(() => {
    const observer = new MutationObserver(() => setVersion((before) => before + 1))
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-scheme', 'style'] })
    return () => observer.disconnect()
  }, [])
  return version
}
