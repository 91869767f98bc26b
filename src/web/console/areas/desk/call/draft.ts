import { useEffect, useMemo } from 'react'
import { sessionStore, useMember } from '../../../session/session.ts'
import { createStore, type Store, useStore } from '../../../state/store.ts'
import { isUnsaved } from './draft-checks.ts'
import { type Draft, emptyDraft, partsOf } from './draft-fields.ts'

const prefix = 'console-call:'
const learnedPrefix = 'console-saved:'
/** Drafts of calls in this browser. One that the service does not have stays beside these. */
const mostDrafts = 5

/** `latest`: with what another tab has just entered. */
type Stored = { readonly latest: () => Draft; readonly change: (part: Partial<Draft>) => void }
export type Drafting = Stored & { readonly draft: Draft }

/**
 * What the agent enters about a call, with each key press: in the storage of this browser, so that neither a reload nor a closed tab loses it, and all tabs
 * have the same. What the service has goes with the sign-out; what it has not stays until this member signs in here again.
 */
export function useDraft(ucid: string): Drafting {
  const { memberId } = useMember()
  const draft = useStore(storeOf(keyOf(memberId, ucid)))
  useEffect(() => forgetOld(keyOf(memberId, ucid)), [memberId, ucid])
  const stored = useMemo(() => storedDraft(memberId, ucid), [memberId, ucid])
  return { draft, ...stored }
}

export function storedDraft(memberId: string, ucid: string): Stored {
  const key = keyOf(memberId, ucid)
  const latest = (): Draft => readDraft(key)
  return { latest, change: (part) => write(key, { ...storeOf(key).get(), ...part }) }
}

function keyOf(memberId: string, ucid: string): string {
  return `${prefix}${memberId}:${ucid}`
}

/** One for all components that show the call. */
const stores = new Map<string, Store<Draft>>()

function storeOf(key: string): Store<Draft> {
  const store = stores.get(key) ?? createStore(readDraft(key))
  stores.set(key, store)
  return store
}

function write(key: string, draft: Draft): void {
  const [before, now] = [partsOf(storeOf(key).get()), partsOf(draft)]
  if (now.entered !== before.entered) localStorage.setItem(key, now.entered)
  if (now.learned !== before.learned) localStorage.setItem(learnedKeyOf(key), now.learned)
  storeOf(key).set(draft)
  listAgain()
}

function learnedKeyOf(key: string): string {
  return key.replace(prefix, learnedPrefix)
}

function remove(key: string): void {
  localStorage.removeItem(key)
  localStorage.removeItem(learnedKeyOf(key))
  stores.delete(key)
}

/** Another tab wrote it. */
addEventListener('storage', ({ key: changed }) => {
  const key = changed?.replace(learnedPrefix, prefix)
  if (key?.startsWith(prefix) !== true) return
  stores.get(key)?.set(readDraft(key))
  listAgain()
})

sessionStore.subscribe(() => {
  if (sessionStore.get().kind !== 'SIGNED_OUT') return
  stores.clear()
  for (const key of keys()) if (!isUnsaved(readDraft(key))) remove(key)
  listAgain()
})

type Listed = Readonly<Record<'unsaved' | 'unseen', readonly string[]>>
const listed = createStore<Listed>(listDrafts())

/** In the order of their calls: UCIDs begin with the time. */
function keys(): readonly string[] {
  const ucidOf = (key: string): string => key.split(':').at(-1) ?? ''
  const drafts = Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  return drafts.toSorted((one, other) => (ucidOf(one) < ucidOf(other) ? -1 : 1))
}

function listDrafts(): Listed {
  const drafts = keys().map((key) => ({ key, draft: stores.get(key)?.get() ?? readDraft(key) }))
  return {
    unsaved: drafts.flatMap(({ key, draft }) => (isUnsaved(draft) ? [key] : [])),
    unseen: drafts.flatMap(({ key, draft }) => (draft.receipt?.isAutomatic === true ? [key] : [])),
  }
}

function listAgain(): void {
  const [before, now] = [listed.get(), listDrafts()]
  if (JSON.stringify(before) !== JSON.stringify(now)) listed.set(now)
}

/** The member's calls about which the service does not have all that was entered. */
export function useUnsavedCalls(): readonly string[] {
  return useListed('unsaved')
}

/** The last call whose outcome the desk has sent by itself, until the agent has seen that. */
export function useUnseenOutcome(): string | null {
  return useListed('unseen').at(-1) ?? null
}

function useListed(name: keyof Listed): readonly string[] {
  const own = `${prefix}${useMember().memberId}:`
  return useStore(listed)[name].flatMap((key) => (key.startsWith(own) ? [key.slice(own.length)] : []))
}

function readDraft(key: string): Draft {
  return { ...emptyDraft, ...readPart(key), ...readPart(learnedKeyOf(key)) }
}

function readPart(key: string): Partial<Draft> {
  return asPart(JSON.parse(localStorage.getItem(key) ?? '{}'))
}

/** This page wrote it. */
function asPart(stored: unknown): Partial<Draft>
function asPart(stored: unknown): unknown {
  return stored
}

function forgetOld(current: string): void {
  const saved = keys().filter((key) => key !== current && !isUnsaved(readDraft(key)))
  for (const key of saved.slice(0, 1 - mostDrafts)) remove(key)
}
