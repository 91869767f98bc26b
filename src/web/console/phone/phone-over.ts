import { createStore } from '../state/store.ts'

/** The agent's phone had this call, and has it no more. `wasAnswered`: as far as the phone knows. */
export type PhoneOver = { readonly ucid: string; readonly wasAnswered: boolean; readonly at: number }

const key = 'console-phone-over'
const state = createStore(read())

/** All tabs know it: the phone is in one of them. */
export const phoneOver = {
  ...state,
  set(over: PhoneOver | null): void {
    localStorage.setItem(key, JSON.stringify(over))
    state.set(over)
  },
}

addEventListener('storage', (event) => {
  if (event.key === key) state.set(read())
})

function read(): PhoneOver | null {
  return asOver(JSON.parse(localStorage.getItem(key) ?? 'null'))
}

/** This page wrote it. */
function asOver(stored: unknown): PhoneOver | null
function asOver(stored: unknown): unknown {
  return stored
}
