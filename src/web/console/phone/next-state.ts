import { useCallback, useEffect } from 'react'
import { createStore, useStore } from '../state/store.ts'
import { sessionStore, useMember } from '../session/session.ts'
import { useOwnPresence, useStateChange } from './agent-state.ts'

const key = 'console-next-state'

/** The member, a space, and the reason. Also after a reload of this tab, until the sign-out. */
const chosen = createStore<string>(sessionStorage.getItem(key) ?? '')
sessionStore.subscribe(() => {
  if (sessionStore.get().kind === 'SIGNED_OUT') chosen.set('')
})

/**
 * Why the agent takes no calls after the one at hand; null: they are ready then. The provider refuses a break during a call and in the wrap-up,
 * so this tab remembers it: it goes with the outcome that ends the wrap-up, else to the provider once that has made the agent ready.
 */
export function useNextReason() {
  const { memberId } = useMember()
  const value = useStore(chosen)
  const choose = useCallback(
    (reason: string | null) => {
      const next = reason === null ? '' : `${memberId} ${reason}`
      sessionStorage.setItem(key, next)
      chosen.set(next)
    },
    [memberId],
  )
  return { reason: value.startsWith(`${memberId} `) ? value.slice(memberId.length + 1) : null, choose }
}

/** Begins the chosen break when the call and its wrap-up are over, however they ended. */
export function useChosenBreak(): void {
  const { reason, choose } = useNextReason()
  const { change } = useStateChange()
  const state = useOwnPresence()?.state
  useEffect(() => {
    if (reason === null || state === undefined || isBusy(state)) return
    // If the provider refuses, because the next call rings already, the choice is for after that one.
    if (state === 'READY') void change({ state: 'NOT_READY', reason })
    else choose(null)
  }, [reason, state, choose, change])
}

/** With a call, or its wrap-up. */
export function isBusy(state: string | undefined): boolean {
  return state === 'ON_CALL' || state === 'WRAP_UP'
}
