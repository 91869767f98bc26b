import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { callFactsSchema } from '../../ports/call-facts.ts'
import type { Ports } from '../../ports/ports.ts'
import type { CallKey } from './call-state-store.ts'

/**
 * The disposition of a call, in progress or done: the first one or its last correction. Stored for as long as the bus remembers the id of an event. An intent is written before
 * the provider is called, so that a crash at any point is finished by a scheduled job. Errors of all functions: STORE_UNAVAILABLE.
 */

const outcomes = ['QUEUED', 'SAVED', 'ALREADY_DISPOSED'] as const
export type DispositionOutcome = (typeof outcomes)[number]

const intentSchema = z.object({
  /** INTENDED: the provider may have it. SENT: the provider has it. PUBLISHED: the event is published. */
  stage: z.enum(['INTENDED', 'SENT', 'PUBLISHED']),
  workspaceId: z.string(),
  ucid: z.string(),
  /** When a process last claimed it, epoch milliseconds. */
  claimedAt: z.number(),
  outcome: z.enum(outcomes).nullable(),
  /** 0 for the first disposition of the call, then the number of the correction. */
  revision: z.number(),
  /** A hash of what the client sent, and those of the dispositions that were corrected since. */
  content: z.string(),
  corrected: z.array(z.string()),
  /** The stored text of the disposition that this one corrects, until it is done: it comes back if this one fails. */
  former: z.string().nullable(),
  /** Its entry in the list of unfinished dispositions. */
  entry: z.string(),
  /** The request to the provider. `recorded`: what the platform's record says of a call that is not in our store. */
  request: z.object({
    agentId: z.string(),
    agentName: z.string().nullable(),
    /** False if the call's provider has no dispositions: then only we have it. */
    atProvider: z.boolean(),
    did: z.string(),
    notes: z.string().nullable(),
    callBackAt: z.string().nullable(),
    /** Whom to call back if the caller withheld the number (E.164). */
    phoneNumber: z.string().nullable(),
    recorded: callFactsSchema.default({}),
    next: z.object({ state: z.enum(['READY', 'NOT_READY']), reason: z.string().nullable() }).nullable(),
  }),
  event: z.object({
    id: z.string(),
    occurredAt: z.string(),
    callId: z.string().nullable(),
    leadId: z.string().nullable(),
    agentId: z.string().nullable(),
    memberId: z.string().nullable(),
    disposition: z.string(),
    supersedes: z.string().nullable(),
  }),
})
export type DispositionIntent = z.output<typeof intentSchema>

/** An intent with its stored text: only the holder of the newest text can change it. */
export type HeldIntent = { readonly intent: DispositionIntent; readonly text: string }

const ttlMs = 8 * 86_400_000
/** Longer than the deadlines of provider and store together. */
const abandonedMs = 15_000
const maxAbandoned = 100
const openList = 'dispositions:open'

/** Null if the call has no disposition yet. */
export async function readIntent({ store }: Pick<Ports, 'store'>, call: CallKey): Promise<HeldIntent | null> {
  return readKey({ store }, keyOf(call))
}

/** A new entry for the list of unfinished dispositions: removing it never removes another attempt's. */
export function newEntry(call: CallKey): string {
  return newId() + keyOf(call)
}

/** Stores a new intent; null if the call has one already. */
export async function beginIntent({ store, clock }: Pick<Ports, 'store' | 'clock'>, intent: DispositionIntent): Promise<HeldIntent | null> {
  const text = JSON.stringify(intent)
  await store.sortedAdd(openList, intent.entry, clock.now())
  if (await store.setIfAbsent(keyOf(intent), text, { ttlMs })) return { intent, text }
  await store.sortedRemove(openList, intent.entry)
  return null
}

/** Replaces a finished intent by its correction; null if another process changed it meanwhile. */
export async function correctIntent(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  held: HeldIntent,
  intent: DispositionIntent,
): Promise<HeldIntent | null> {
  const text = JSON.stringify(intent)
  await store.sortedAdd(openList, intent.entry, clock.now())
  if (await store.compareAndSet(keyOf(intent), { expected: held.text, value: text, ttlMs })) return { intent, text }
  await store.sortedRemove(openList, intent.entry)
  return null
}

/** Changes an intent; null if another process changed it meanwhile. */
export async function advanceIntent(
  { store }: Pick<Ports, 'store'>,
  held: HeldIntent,
  change: Partial<DispositionIntent>,
): Promise<HeldIntent | null> {
  const intent = { ...held.intent, ...change }
  const text = JSON.stringify(intent)
  const isChanged = await store.compareAndSet(keyOf(intent), { expected: held.text, value: text, ttlMs })
  // Behind those that wait longer for their next attempt.
  if (isChanged && change.claimedAt !== undefined) await store.sortedAdd(openList, intent.entry, change.claimedAt)
  if (isChanged && intent.stage === 'PUBLISHED') await store.sortedRemove(openList, intent.entry)
  return isChanged ? { intent, text } : null
}

/** Withdraws an intent that the provider does not have: the disposition that it would have corrected counts again. */
export async function withdrawIntent({ store }: Pick<Ports, 'store'>, { intent, text }: HeldIntent): Promise<void> {
  const { former, entry } = intent
  const isWithdrawn =
    former === null
      ? await store.compareAndDelete(keyOf(intent), text)
      : await store.compareAndSet(keyOf(intent), { expected: text, value: former, ttlMs })
  if (isWithdrawn) await store.sortedRemove(openList, entry)
}

/** Ends the claim of an intent at its present stage, so that the next attempt or the scheduled job continues it. */
export async function releaseIntent({ store }: Pick<Ports, 'store'>, { intent: { claimedAt, ...call } }: HeldIntent): Promise<void> {
  const current = await readKey({ store }, keyOf(call))
  if (!current || current.intent.claimedAt !== claimedAt || current.intent.stage === 'PUBLISHED') return
  const value = JSON.stringify({ ...current.intent, claimedAt: 0 })
  await store.compareAndSet(keyOf(call), { expected: current.text, value, ttlMs })
}

/**
 * Unfinished intents whose process had more time than it can need, at most 100. One in another form, which another version has written, waits: it
 * must not hold up the others.
 */
export async function abandonedIntents({ store, clock }: Pick<Ports, 'store' | 'clock'>): Promise<readonly HeldIntent[]> {
  const open = await store.sortedRange(openList, { max: clock.now() - abandonedMs, limit: maxAbandoned })
  const texts = await Promise.all(open.map(async ({ member }) => ({ member, text: await store.get(keyIn(member)) })))
  const unreadable = texts.filter(({ text }) => text !== null && heldIn(text) === null)
  await Promise.all(unreadable.map(({ member }) => store.sortedAdd(openList, member, clock.now())))
  const held = texts
    .filter((each) => !unreadable.includes(each))
    .map(({ member, text }) => ({ member, found: text === null ? null : heldIn(text) }))
  const done = held.filter(({ member, found }) => found?.intent.entry !== member || found.intent.stage === 'PUBLISHED')
  await Promise.all(done.map(({ member }) => store.sortedRemove(openList, member)))
  return held.flatMap(({ member, found }) => (found?.intent.entry === member && isAbandoned({ clock }, found) ? [found] : []))
}

/** Whether the intent is unfinished and its process had more time than it can need. */
export function isAbandoned({ clock }: Pick<Ports, 'clock'>, { intent }: HeldIntent): boolean {
  return intent.stage !== 'PUBLISHED' && clock.now() - intent.claimedAt > abandonedMs
}

async function readKey({ store }: Pick<Ports, 'store'>, key: string): Promise<HeldIntent | null> {
  const text = await store.get(key)
  if (text === null) return null
  const held = heldIn(text)
  if (held === null) throw new AppError('STORE_UNAVAILABLE', { detail: 'A stored disposition cannot be read' })
  return held
}

/** Null if it is in another form. */
function heldIn(text: string): HeldIntent | null {
  const parsed = intentSchema.safeParse(JSON.parse(text))
  return parsed.success ? { intent: parsed.data, text } : null
}

const keyPrefix = 'disposition:'
const keyIn = (entry: string): string => entry.slice(entry.indexOf(keyPrefix))
const keyOf = ({ workspaceId, ucid }: CallKey): string => `${keyPrefix}${workspaceId}:${ucid}`
