import { isoMoment } from '../../../kernel/clock.ts'
import type { Positioned } from '../../../kernel/connection.ts'
import { AppError } from '../../../kernel/errors.ts'
import { derivedId, isUuid } from '../../../kernel/ids.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { SortedEntry, SortedMember } from '../../../ports/store.ts'
import { Family } from '../../../ports/stored/family.ts'
import { SortedList, type SortedPage } from '../../../ports/stored/sorted-list.ts'
import type { KnownCall } from '../state/call-facts.ts'
import { readCalls } from '../state/call-state-store.ts'
import { type ClaimCheck, dueAtOf, entrySchema, newEntry, type WorklistEntry } from './entry.ts'

/**
 * The people to call back, one entry per workspace and number. An entry is stored until 30 days after its last change, its last callback
 * and its due time; a workspace has at most 5,000 open ones. Errors of all functions: STORE_UNAVAILABLE, OVERLOADED.
 */

/** Subscribers receive the entry's id. */
export const worklistTopic = 'worklist.changed'

export type EntryKey = { readonly workspaceId: string; readonly id: string }
export type EntryChange = { readonly before: WorklistEntry; readonly after: WorklistEntry }
export type WorklistStore = Pick<Ports, 'store' | 'clock' | 'notifications'>

const retentionMs = 30 * 86_400_000
/** What is due later than this is forgotten before it is due. */
const longestMs = 400 * 86_400_000
const maxOpen = 5_000
/** After this time nobody is on the phone: the end of the call was not reported. */
const longestRingMs = 10 * 60_000
const maxIndexTries = 5
const maxCheckTries = 10

export const worklistEntries = new Family({
  name: 'worklist-entry',
  key: ({ workspaceId, id }: EntryKey) => [workspaceId, id],
  schema: entrySchema,
  lifetime: longestMs,
  about: 'person',
  what: 'a person to call back: number, lead, calls; until 30 days after the last change and callback',
})

/** Open entries by when they are due. */
export const openEntries = new SortedList({
  name: 'worklist',
  key: (workspaceId: string) => [workspaceId],
  lifetime: longestMs,
  about: 'person',
  what: 'people to call back, by when they are due',
})

/** The id names a person without showing their number. */
export function entryIdOf(workspaceId: string, phoneNumber: string): string {
  return derivedId('worklist', workspaceId, phoneNumber)
}

/** Null if there is none, or it is no longer stored. */
export async function readEntry(ports: Pick<Ports, 'store'>, key: EntryKey): Promise<WorklistEntry | null> {
  if (!isUuid(key.id)) return null
  return worklistEntries.read(ports, key)
}

/** Changes the entry of a number, and creates it if there is none (`before` is null). `next` may run more than once. */
export async function changePerson(
  ports: WorklistStore,
  { workspaceId, phoneNumber }: { readonly workspaceId: string; readonly phoneNumber: string },
  next: (entry: WorklistEntry) => WorklistEntry,
): Promise<{ readonly before: WorklistEntry | null; readonly after: WorklistEntry }> {
  const id = entryIdOf(workspaceId, phoneNumber)
  return changeStored(ports, { workspaceId, id }, { next: (known) => next(known ?? newEntry(id, phoneNumber)) })
}

/** `audit`: the audit entry of the change, which is stored in the same step. */
type Edit = {
  readonly next: (entry: WorklistEntry) => WorklistEntry
  readonly audit?: ((change: EntryChange) => SortedEntry | null) | undefined
}

/** Changes an entry. `next` may run more than once, and may throw. Throws NOT_FOUND. */
export async function changeEntry(ports: WorklistStore, key: EntryKey, edit: Edit | Edit['next']): Promise<EntryChange> {
  const { next, audit } = typeof edit === 'function' ? { next: edit } : edit
  const missing = new AppError('NOT_FOUND', { detail: 'There is no such entry in the worklist' })
  if (!isUuid(key.id)) throw missing
  const change = (known: WorklistEntry | null): WorklistEntry => {
    if (known === null) throw missing
    return next(known)
  }
  const { before, after } = await changeStored(ports, key, { next: change, audit })
  if (before === null) throw missing
  return { before, after }
}

export type CheckedChange = EntryChange & { readonly check: ClaimCheck }
type CheckedEdit = {
  readonly next: (entry: WorklistEntry, check: ClaimCheck) => WorklistEntry
  readonly audit: (change: CheckedChange) => SortedEntry | null
}

/**
 * As `changeEntry`, with what is needed to know whether the claim counts: of the claim that the entry has when it is changed, not of an earlier one.
 */
export async function changeCheckedEntry(ports: WorklistStore, key: EntryKey, { next, audit }: CheckedEdit): Promise<CheckedChange> {
  for (let tries = 0; tries < maxCheckTries; tries += 1) {
    const known = await readEntry(ports, key)
    const check = await checkClaims(ports, key.workspaceId, known ? [known] : [])
    const seen = { isChecked: true }
    const changed = await changeEntry(ports, key, {
      next(entry) {
        seen.isChecked = (entry.claim?.ucid ?? null) === (known?.claim?.ucid ?? null)
        return seen.isChecked ? next(entry, check) : entry
      },
      audit: (change) => (seen.isChecked ? audit({ ...change, check }) : null),
    })
    if (seen.isChecked) return { ...changed, check }
  }
  throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
}

type StoredEdit = Pick<Edit, 'audit'> & { readonly next: (known: WorklistEntry | null) => WorklistEntry }

async function changeStored(ports: WorklistStore, key: EntryKey, { next, audit }: StoredEdit) {
  const { clock, notifications } = ports
  const lifetime = ({ callbacks, dueAt }: WorklistEntry): number => {
    const ahead = [...callbacks.map(({ at }) => at), ...(dueAt === null ? [] : [dueAt])].map((at) => Date.parse(at) - clock.now())
    return Math.min(longestMs, retentionMs + Math.max(0, ...ahead))
  }
  const changed = await worklistEntries.change(ports, key, {
    lifetime,
    next,
    add: (before, after) => audit?.({ before, after }) ?? null,
  })
  await index(ports, key)
  if (changed.before === null || changed.before.closed !== null) await dropOldest(ports, key.workspaceId)
  if (JSON.stringify(changed.before) !== JSON.stringify(changed.after)) {
    await notifications.publish({ topic: worklistTopic, workspaceId: key.workspaceId, payload: key.id })
  }
  return changed
}

/** Repeats until the entry has not changed meanwhile, so that the last of several concurrent changes counts. */
async function index(ports: Pick<Ports, 'store'>, key: EntryKey): Promise<void> {
  let current = await readEntry(ports, key)
  for (let tries = 0; tries < maxIndexTries; tries += 1) {
    if (current && isOpen(current)) await openEntries.add(ports, key.workspaceId, { member: key.id, score: Date.parse(dueAtOf(current)) })
    else await openEntries.remove(ports, key.workspaceId, key.id)
    const indexed = current
    current = await readEntry(ports, key)
    if (JSON.stringify(current) === JSON.stringify(indexed)) return
  }
}

async function dropOldest(ports: Pick<Ports, 'store'>, workspaceId: string): Promise<void> {
  const [tooMany] = await openEntries.range(ports, workspaceId, { limit: 1, offset: maxOpen, reverse: true })
  if (tooMany) await openEntries.trim(ports, workspaceId, tooMany.score)
}

export function isOpen({ missed, callbacks, closed }: WorklistEntry): boolean {
  return closed === null && missed.length + callbacks.length > 0
}

/** The next open entries after a position, the first due first. Null: from the first. */
export async function readOpenEntries(
  ports: Pick<Ports, 'store' | 'clock'>,
  workspaceId: string,
  page: Pick<SortedPage, 'after' | 'count'>,
): Promise<readonly Positioned<WorklistEntry, SortedMember>[]> {
  await openEntries.trim(ports, workspaceId, ports.clock.now() - retentionMs)
  const read = async (ids: readonly string[]) => {
    const keys = ids.map((id) => ({ workspaceId, id }))
    return (await worklistEntries.readMany(ports, keys)).map((entry) => (entry && isOpen(entry) ? entry : null))
  }
  return openEntries.page(ports, workspaceId, { order: 1, ...page, read })
}

/** What is needed to know which claims of these entries count. */
export async function checkClaims(
  ports: Pick<Ports, 'store' | 'clock'>,
  workspaceId: string,
  entries: readonly WorklistEntry[],
): Promise<ClaimCheck> {
  const ucids = entries.flatMap(({ claim }) => (claim?.ucid ? [claim.ucid] : []))
  const calls = ucids.length === 0 ? [] : await readCalls(ports, workspaceId, ucids)
  const now = ports.clock.now()
  return { now, liveUcids: new Set(calls.flatMap((call) => (call && isInProgress(call, now) ? [call.ucid] : []))) }
}

function isInProgress({ phase, startedAt }: KnownCall, now: number): boolean {
  if (phase === 'RINGING') return startedAt !== null && now - Date.parse(startedAt) < longestRingMs
  return phase === 'ANSWERED'
}

export const nowIn = ({ clock }: Pick<Ports, 'clock'>): string => isoMoment(clock.now())
