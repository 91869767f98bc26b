import { z } from 'zod'
import { AppError } from '../../../kernel/errors.ts'
import { callFactsSchema } from '../../../ports/call-facts.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { CallKey } from '../state/call-state-store.ts'
import { versionOf } from '../../../ports/store.ts'
import { Family } from '../../../ports/stored/family.ts'
import { DueList, type DueItem } from '../../../ports/due/due-list.ts'
import { SortedList } from '../../../ports/stored/sorted-list.ts'

/**
 * The disposition of a call, in progress or done: the first one or its last correction. Stored for as long as the bus
 * remembers the id of an event. An intent is written before the provider is called, so that what a crash leaves at any
 * point is finished later. Whoever changes one holds the call's lease. Errors of all functions: STORE_UNAVAILABLE.
 */

const outcomes = ['QUEUED', 'SAVED', 'ALREADY_DISPOSED'] as const
export type DispositionOutcome = (typeof outcomes)[number]

const intentSchema = z.object({
  /** INTENDED: the provider may have it. SENT: the provider has it. PUBLISHED: the event is published. */
  stage: z.enum(['INTENDED', 'SENT', 'PUBLISHED']),
  workspaceId: z.string(),
  ucid: z.string(),
  /** When it was submitted, epoch milliseconds. */
  claimedAt: z.number(),
  outcome: z.enum(outcomes).nullable(),
  /** 0 for the first disposition of the call, then the number of the correction. */
  revision: z.number(),
  /** A hash of what the client sent, and those of the dispositions that were corrected since. */
  content: z.string(),
  corrected: z.array(z.string()),
  /** The stored text of the disposition that this one corrects, until it is done: it comes back if this one fails. */
  former: z.string().nullable(),
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
    /** The frontend sent it at the end of the wrap-up. */
    automatic: z.boolean().default(false),
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

/** An intent with its stored text. */
export type HeldIntent = { readonly intent: DispositionIntent; readonly text: string }

const dayMs = 86_400_000
const eightDays = 8 * dayMs
/** Longer than the deadlines of provider and store together. */
const leftAfterMs = 15_000

export const storedDispositions = new Family({
  name: 'disposition',
  key: ({ workspaceId, ucid }: CallKey) => [workspaceId, ucid],
  schema: intentSchema,
  unreadable: 'ABSENT',
  lifetime: eightDays,
  about: 'call',
  what: 'a disposition: notes, code, number',
})

export const unfinishedDispositions = new DueList({
  name: 'dispositions-unfinished',
  about: 'call',
  what: 'dispositions that are not finished',
  retry: { firstMs: 15_000, longestMs: 60_000 },
  // While the disposition itself is stored.
  giveUpAfterMs: 7 * dayMs,
  batch: 100,
})

export const formerOpenDispositions = new SortedList({
  name: 'dispositions:open',
  scope: 'installation',
  key: () => [],
  lifetime: eightDays,
  about: 'call',
  what: 'the same of an earlier version',
})

/** Null if the call has no disposition yet. */
export async function readIntent(ports: Pick<Ports, 'store'>, call: CallKey): Promise<HeldIntent | null> {
  const { value: intent, text } = await storedDispositions.readStored(ports, call)
  if (text === null) return null
  if (intent === null) throw new AppError('STORE_UNAVAILABLE', { detail: 'A stored disposition cannot be read' })
  return { intent, text }
}

/**
 * Stores a new intent, or the correction of a finished one. If nobody finishes it, it is due a quarter of a minute
 * later.
 */
export async function beginIntent(
  ports: Pick<Ports, 'store' | 'clock'>,
  former: HeldIntent | null,
  intent: DispositionIntent,
): Promise<HeldIntent> {
  await unfinishedDispositions.add(ports, itemOf(intent), ports.clock.now() + leftAfterMs)
  return replace(ports, former, intent)
}

/** Notes how far an intent is. */
export async function advanceIntent(
  ports: Pick<Ports, 'store'>,
  former: HeldIntent,
  change: Pick<Partial<DispositionIntent>, 'stage' | 'outcome' | 'former'>,
): Promise<HeldIntent> {
  const held = await replace(ports, former, { ...former.intent, ...change })
  if (held.intent.stage === 'PUBLISHED') await unfinishedDispositions.remove(ports, itemOf(held.intent))
  return held
}

/**
 * Withdraws an intent that the provider does not have: the disposition that it would have corrected counts again. False
 * if it has changed since, because the provider took it: then it stays.
 */
export async function withdrawIntent(ports: Pick<Ports, 'store'>, { intent, text }: HeldIntent): Promise<boolean> {
  const { former } = intent
  const version = versionOf(text)
  const isWithdrawn =
    former === null
      ? await storedDispositions.deleteVersion(ports, intent, version)
      : (await storedDispositions.replaceText(ports, intent, { version, text: former })) !== null
  if (isWithdrawn) await unfinishedDispositions.remove(ports, itemOf(intent))
  return isWithdrawn
}

/** Throws if another process changed it: the lease of this one was lost. */
async function replace(ports: Pick<Ports, 'store'>, former: HeldIntent | null, intent: DispositionIntent): Promise<HeldIntent> {
  const version = former === null ? null : versionOf(former.text)
  const isReplaced = (await storedDispositions.replace(ports, intent, { version, value: intent })) !== null
  if (!isReplaced) throw stillRecorded()
  return { intent, text: JSON.stringify(intent) }
}

export function stillRecorded(): AppError {
  return new AppError('DEADLINE_PASSED', {
    detail: 'The disposition is still being recorded, or another action on the call is under way; send it again',
  })
}

function itemOf({ workspaceId, ucid: id }: CallKey): DueItem {
  return { workspaceId, id }
}

/** As earlier versions wrote an item: an id and the key of the stored disposition. */
export function itemOfEntry(entry: string): DueItem {
  const [, workspaceId = '', ...ucid] = entry.split(':')
  return { workspaceId, id: ucid.join(':') }
}
