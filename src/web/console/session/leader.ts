import { createStore, useStore } from '../state/store.ts'

/** LEADS: this tab holds the phone. FOLLOWS: another tab of this browser does. WAITING: not decided yet. */
export type Leadership = 'WAITING' | 'LEADS' | 'FOLLOWS'

const lockName = 'call-center-sidecar:phone'
const state = createStore<Leadership>('WAITING')
let holding: AbortController | null = null

/**
 * One tab leads as long as it is open; then the one that waits longest. The browser decides (Web Locks), and a page that holds a lock is not
 * frozen in the background.
 */
export async function seekLeadership({ steal = false } = {}): Promise<void> {
  holding?.abort()
  const held = new AbortController()
  holding = held
  const hold = (): Promise<void> => {
    state.set('LEADS')
    return new Promise((resolve) => held.signal.addEventListener('abort', () => resolve(), { once: true }))
  }
  if (state.get() === 'WAITING' && !steal) {
    const { held: locks = [] } = await navigator.locks.query()
    if (locks.some(({ name }) => name === lockName)) state.set('FOLLOWS')
  }
  try {
    await navigator.locks.request(lockName, steal ? { steal } : { signal: held.signal }, hold)
  } catch {
    // Another tab took the lead, or this one no longer wants it.
  }
  if (held.signal.aborted) return
  state.set('FOLLOWS')
  void seekLeadership()
}

/** After a sign-out nobody holds the phone. */
export function leaveLeadership(): void {
  holding?.abort()
  holding = null
  state.set('WAITING')
}

/** Brings the phone to this tab. */
export function takeLead(): void {
  void seekLeadership({ steal: true })
}

export function useLeadership(): Leadership {
  return useStore(state)
}
