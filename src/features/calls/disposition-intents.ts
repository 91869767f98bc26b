import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Store } from '../../ports/store.ts'

const outcomes = ['QUEUED', 'SAVED', 'ALREADY_DISPOSED'] as const
export type DispositionOutcome = (typeof outcomes)[number]

const intentSchema = z.object({
  /** INTENDED: the provider has it perhaps. SENT: the provider has it. PUBLISHED: the world was told. */
  stage: z.enum(['INTENDED', 'SENT', 'PUBLISHED']),
  workspaceId: z.string(),
  ucid: z.string(),
  /** When somebody last took it on, epoch milliseconds. */
  claimedAt: z.number(),
  outcome: z.enum(outcomes).nullable(),
  /** What the provider is sent; null once the world was told. `phoneNumber`: the customer's, where it is known. */
  request: z
    .object({
      agentId: z.string(),
      did: z.string(),
      notes: z.string().nullable(),
      callBackAt: z.string().nullable(),
      phoneNumber: z.string().nullable(),
      next: z.object({ state: z.enum(['READY', 'NOT_READY']), reason: z.string().nullable() }).nullable(),
    })
    .nullable(),
  event: z.object({
    id: z.string(),
    occurredAt: z.string(),
    callId: z.string().nullable(),
    leadId: z.string().nullable(),
    agentId: z.string().nullable(),
    memberId: z.string().nullable(),
    disposition: z.string(),
  }),
})
/** A disposition on its way: written before the provider is called, so that a crash at any point is finished by the sweep. */
export type DispositionIntent = z.output<typeof intentSchema>

/** An intent as it stands in the store; only who holds the newest one can move it on. */
export type HeldIntent = { readonly intent: DispositionIntent; readonly text: string }

/** The dispositions under way and done, one per call, kept as long as an event's id is known. Errors: STORE_UNAVAILABLE. */
export interface DispositionIntents {
  read(workspaceId: string, ucid: string): Promise<HeldIntent | null>
  /** Null where there is one already. */
  begin(intent: DispositionIntent): Promise<HeldIntent | null>
  /** Moves it on; null where somebody else did meanwhile. */
  advance(held: HeldIntent, change: Partial<DispositionIntent>): Promise<HeldIntent | null>
  /** Takes it back: the provider does not have it. */
  withdraw(held: HeldIntent): Promise<void>
  /** Lets go of it as far as it came, for the next try or the sweep. */
  release(held: HeldIntent): Promise<void>
  /** Those that were left unfinished for longer than any holder takes. */
  abandoned(): Promise<readonly HeldIntent[]>
  /** Whether its holder has had more time than it can need. */
  isAbandoned(held: HeldIntent): boolean
}

const keptMs = 8 * 86_400_000
/** Longer than the provider's and the store's deadlines together. */
const abandonedMs = 30_000
const openList = 'dispositions:open'

export function createDispositionIntents(store: Store, clock: Clock): DispositionIntents {
  const keyOf = ({ workspaceId, ucid }: { workspaceId: string; ucid: string }): string => `disposition:${workspaceId}:${ucid}`

  const readKey = async (key: string): Promise<HeldIntent | null> => {
    const text = await store.get(key)
    return text === null ? null : { intent: parse(text), text }
  }

  return {
    read: (workspaceId, ucid) => readKey(keyOf({ workspaceId, ucid })),
    async begin(intent) {
      const text = JSON.stringify(intent)
      await store.sortedAdd(openList, keyOf(intent), clock.now())
      return (await store.setIfAbsent(keyOf(intent), text, { ttlMs: keptMs })) ? { intent, text } : null
    },
    async advance(held, change) {
      const intent = { ...held.intent, ...change }
      const text = JSON.stringify(intent)
      const moved = await store.compareAndSet(keyOf(intent), { expected: held.text, value: text, ttlMs: keptMs })
      if (moved && intent.stage === 'PUBLISHED') await store.sortedRemove(openList, keyOf(intent))
      return moved ? { intent, text } : null
    },
    async withdraw(held) {
      if (await store.compareAndDelete(keyOf(held.intent), held.text)) await store.sortedRemove(openList, keyOf(held.intent))
    },
    async release({ intent: { workspaceId, ucid, claimedAt } }) {
      const current = await readKey(keyOf({ workspaceId, ucid }))
      if (!current || current.intent.claimedAt !== claimedAt || current.intent.stage === 'PUBLISHED') return
      const text = JSON.stringify({ ...current.intent, claimedAt: 0 })
      await store.compareAndSet(keyOf(current.intent), { expected: current.text, value: text, ttlMs: keptMs })
    },
    async abandoned() {
      const open = await store.sortedRange(openList, { max: clock.now() - abandonedMs, limit: 100 })
      const held = await Promise.all(open.map(async ({ member }) => ({ member, found: await readKey(member) })))
      const done = held.filter(({ found }) => !found || found.intent.stage === 'PUBLISHED')
      await Promise.all(done.map(({ member }) => store.sortedRemove(openList, member)))
      return held.flatMap(({ found }) => (found && found.intent.stage !== 'PUBLISHED' && isAbandoned(found) ? [found] : []))
    },
    isAbandoned,
  }

  function isAbandoned({ intent }: HeldIntent): boolean {
    return intent.stage !== 'PUBLISHED' && clock.now() - intent.claimedAt > abandonedMs
  }
}

function parse(text: string): DispositionIntent {
  const parsed = intentSchema.safeParse(JSON.parse(text))
  if (parsed.success) return parsed.data
  throw new AppError('STORE_UNAVAILABLE', { detail: 'A disposition is kept in a form that cannot be read', cause: parsed.error })
}
