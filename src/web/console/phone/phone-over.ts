import { createStore } from '../state/store.ts'

/** The agent's phone had this call, and has it no more. `wasAnswered`: as far as the phone knows. */
export type PhoneOver = { readonly ucid: string; readonly wasAnswered: boolean; readonly at: number }

const key = 'console-phone-over'
const state = createStore(read())

/** All tabs know it: the phone is in one of them. */
export const phoneOver = {
  ...state,
  set(over: PhoneOver): void {
    localStorage.setItem(key, JSON.stringify(over))
    state.set(over)
  },
}

addEventListener('storage', (event) => {
  if (event.key === key) state.set(read())
})

function read(): PhoneOver | null {
  const stored = localStorage.getItem(key)
  return stored === null ? null : asOver(JSON.parse(stored))
}

/** This page wrote it. */
function asOver(stored: unknown): PhoneOver
function asOver(stored: unknown): unknown {
  return stored
}
