import { createStore } from '../state/store.ts'
import { storedChoice } from '../state/stored-choice.ts'

export const schemes = ['system', 'light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

const stored = storedChoice('console-scheme', schemes)
const system = matchMedia('(prefers-color-scheme: dark)')
/** What the person chose. */
export const schemeStore = createStore<Scheme>(stored.read() ?? 'system')

function apply(): void {
  const chosen = schemeStore.get()
  const isDark = chosen === 'dark' || (chosen === 'system' && system.matches)
  document.documentElement.dataset['scheme'] = isDark ? 'dark' : 'light'
}

export function chooseScheme(scheme: Scheme): void {
  stored.write(scheme)
  schemeStore.set(scheme)
  apply()
}

/** Before the first paint: the module runs before React does. */
apply()
system.addEventListener('change', apply)
