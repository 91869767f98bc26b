import { useCallback, useEffect } from 'react'
import { sessionStore, useMember } from '../../../session/session.ts'
import { createStore, type Store, useStore } from '../../../state/store.ts'
import type { CallBack } from '../call-back/call-back.ts'

/** What the agent enters about one call. `receipt`: the outcome that the service has. */
export type Draft = {
  readonly notes: string
  /** The notes that the service has, as far as this tab knows. Null: not known yet. */
  readonly savedNotes: string | null
  /** The choice that the service has, as `choiceOf` writes it. */
  readonly savedChoice: string
  /** When the service saved them: what it has from an earlier time is older than what this tab has. */
  readonly savedAt: string
  /** What was sent last: the service may have it, also if its answer did not come. */
  readonly sentNotes: string | null
  readonly disposition: string | null
  readonly callBack: CallBack
  /** The lead that the agent chose among several. */
  readonly leadId: string | null
  readonly receipt: Receipt | null
}
/** `callBackAt`: ISO 8601. `isAutomatic`: the desk sent it because the wrap-up ended, and the agent has not looked at it since. */
export type Receipt = Pick<Draft, 'notes' | 'leadId'> &
  Readonly<Record<'disposition' | 'eventId' | 'outcome', string>> & { readonly callBackAt: string | null; readonly isAutomatic?: boolean }

const noChoice = JSON.stringify([null, null])
const emptyDraft: Draft = {
  notes: '',
  savedNotes: null,
  savedChoice: noChoice,
  savedAt: '',
  sentNotes: null,
  disposition: null,
  callBack: { kind: 'NONE' },
  leadId: null,
  receipt: null,
}
const prefix = 'console-call:'

export type Drafting = { readonly draft: Draft; readonly change: (part: Partial<Draft>) => void }

/**
 * What the agent enters about a call, with each key press, so that a reload loses nothing. It is in this tab's storage until
 * the sign-out; the calls before the last five are forgotten. The service has the notes too.
 */
export function useDraft(ucid: string): Drafting {
  const { memberId } = useMember()
  const key = `${prefix}${memberId}:${ucid}`
  const store = storeOf(key)
  const draft = useStore(store)
  useEffect(() => forgetOld(key), [key])
  const change = useCallback(
    (part: Partial<Draft>) => {
      const changed = { ...store.get(), ...part }
      sessionStorage.setItem(key, JSON.stringify(changed))
      store.set(changed)
      if (changed.receipt?.isAutomatic === true) unseen.set(ucid)
      else if (unseen.get() === ucid) unseen.set(null)
    },
    [key, store, ucid],
  )
  return { draft, change }
}

/** One for all components that show the call. */
const stores = new Map<string, Store<Draft>>()

function storeOf(key: string): Store<Draft> {
  const store = stores.get(key) ?? createStore(readDraft(key))
  stores.set(key, store)
  return store
}

sessionStore.subscribe(() => {
  if (sessionStore.get().kind !== 'SIGNED_OUT') return
  stores.clear()
  unseen.set(null)
})

/** The call whose outcome the desk has sent by itself, until the agent has seen that. */
const unseen = createStore(storedUnseen())

function storedUnseen(): string | null {
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix) && readDraft(key).receipt?.isAutomatic === true)
  return keys.toSorted().at(-1)?.split(':').at(-1) ?? null
}

export function useUnseenOutcome(): string | null {
  return useStore(unseen)
}

function readDraft(key: string): Draft {
  const stored = sessionStorage.getItem(key)
  return stored === null ? emptyDraft : { ...emptyDraft, ...asDraft(JSON.parse(stored)) }
}

/** This page wrote it. */
function asDraft(stored: unknown): Partial<Draft>
function asDraft(stored: unknown): unknown {
  return stored
}

function forgetOld(current: string): void {
  const others = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix) && key !== current)
  // UCIDs begin with the time of the call.
  for (const key of others.toSorted().slice(0, -4)) {
    sessionStorage.removeItem(key)
    stores.delete(key)
  }
}
