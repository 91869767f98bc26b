import { createStore, useStore } from '../state/store.ts'

/**
 * Whether calls can ring here. REGISTERED was confirmed by the SIP server less than ten seconds ago. REFUSED: the server does not accept the
 * credentials; nothing is tried again by itself. ELSEWHERE: another tab has the phone. NONE: the agent has no SIP extension.
 */
export type Registration = 'CONNECTING' | 'REGISTERED' | 'REFUSED' | 'LOST' | 'ELSEWHERE' | 'NONE'

/** RETURNING: the audio is brought back after a reload or a change of the network. */
export type PhoneCall = {
  readonly id: string
  readonly number: string
  readonly phase: 'RINGING' | 'CONNECTING' | 'TALKING' | 'RETURNING'
  readonly isMuted: boolean
}

/**
 * Why the phone has a call no more, if the person should know. WAITING: it asks for the call as soon as it is registered. MICROPHONE_RELOAD: it could
 * not ask for the call after a reload; it does so after another one.
 */
export type PhoneLoss = 'RELOAD' | 'WAITING' | 'MICROPHONE' | 'MICROPHONE_RELOAD' | 'NETWORK'
export type PhoneState = { readonly registration: Registration; readonly call: PhoneCall | null; readonly loss: PhoneLoss | null }

/** What the phone of this tab does for a press of a button. */
export type PhoneCommands = {
  readonly answer: () => void
  /**
   * Hangs up, or declines. False: the call has to be ended at the provider, because the server does not confirm the end, or the phone was still
   * asking for the call, or has none. A call that was declined is never one of these: the provider gives it to the next agent, in its time.
   */
  readonly hangUp: () => Promise<boolean>
  readonly setMuted: (isMuted: boolean) => void
  readonly sendTone: (tone: string) => void
  /** Tries the registration again, at once. */
  readonly retry: () => void
  /** No other call comes here: the agent works elsewhere. The call that the phone has goes on. */
  readonly release: () => void
}

export const phoneStore = createStore<PhoneState>({ registration: 'CONNECTING', call: null, loss: null })
/** Null: this tab has no phone. */
export const phoneCommands = createStore<PhoneCommands | null>(null)

export function changePhone(part: Partial<PhoneState>): void {
  phoneStore.set({ ...phoneStore.get(), ...part })
}

export function changePhoneCall(part: Partial<PhoneCall>): void {
  const { call } = phoneStore.get()
  if (call) changePhone({ call: { ...call, ...part } })
}

export function usePhone(): PhoneState {
  return useStore(phoneStore)
}
