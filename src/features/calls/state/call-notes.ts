import { z } from 'zod'
import type { Actor } from '../../../access/actor.ts'
import type { Member } from '../../../ports/agents.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/ports.ts'
import { Family } from '../../../ports/stored/family.ts'
import type { CallPorts } from './call-ports.ts'
import { factsOf, type KnownCall } from './call-facts.ts'
import { type CallKey, readCall } from './call-state-store.ts'
import { findOwnCall } from './find-own-call.ts'
import { updateCall } from './update-call.ts'

/**
 * What a member types about a call before the disposition has it, so that a reload of the page loses nothing. Errors:
 * STORE_UNAVAILABLE.
 */

const notesSchema = z.object({
  notes: z.string(),
  /** Chosen, and not sent. */
  disposition: z.string().nullable().default(null),
  callBackAt: z.string().nullable().default(null),
  savedAt: z.string(),
})
export type CallNotes = z.output<typeof notesSchema> & { readonly ucid: string }

export const typedNotes = new Family({
  name: 'call-notes',
  key: ({ workspaceId, memberId, ucid }: Member & Pick<CallNotes, 'ucid'>) => [workspaceId, memberId, ucid],
  schema: notesSchema,
  lifetime: 2 * 86_400_000,
  about: 'call',
  what: 'what a member types about a call, until its disposition',
})

/**
 * Who typed last about a call: they may have no session any more when it is over. `typed`: what of it is in the call's record, after `base`, which
 * others have written.
 */
export const noteTakers = new Family({
  name: 'call-notes-taker',
  key: ({ workspaceId, ucid }: CallKey) => [workspaceId, ucid],
  schema: z.object({ memberId: z.string(), base: z.string(), typed: z.string() }),
  lifetime: 2 * 86_400_000,
  about: 'call',
  what: 'which member typed about a call last',
})

type TypedNotes = Pick<CallNotes, 'ucid' | 'notes'> & { readonly [Name in 'disposition' | 'callBackAt']?: string | null | undefined }

/**
 * Replaces the actor's own notes about a call, and what they have chosen; nothing of both deletes them. The last request counts. Errors: NOT_FOUND,
 * NOT_YOURS.
 */
export async function saveCallNotes(
  ports: Pick<CallPorts, 'agentRecordCache' | 'callRecords' | 'clock' | 'configuration' | 'notifications' | 'store'>,
  actor: Actor,
  { ucid, notes, disposition = null, callBackAt = null }: TypedNotes,
): Promise<CallNotes> {
  if (!(await findOwnCall(ports, actor, ucid))) throw new AppError('NOT_FOUND', { detail: 'There is no such call' })
  const { workspaceId, memberId } = actor.principal
  const value = { notes, disposition, callBackAt, savedAt: isoMoment(ports.clock.now()) }
  if (notes === '' && disposition === null && callBackAt === null) await deleteCallNotes(ports, actor.principal, ucid)
  else {
    const former = await noteTakers.read(ports, { workspaceId, ucid })
    const taker = former?.memberId === memberId ? former : { memberId, base: '', typed: '' }
    await noteTakers.write(ports, { workspaceId, ucid }, { value: taker })
    await typedNotes.write(ports, { workspaceId, memberId, ucid }, { value })
    // It may have ended since.
    const call = await readCall(ports, { workspaceId, ucid })
    if (call) await keepNotes(ports, workspaceId, call)
  }
  return { ucid, ...value }
}

/** Null if there are none. */
export async function readCallNotes(ports: Pick<Ports, 'store'>, member: Member, ucid: string): Promise<CallNotes | null> {
  const stored = await typedNotes.read(ports, { ...member, ucid })
  return stored && { ucid, ...stored }
}

/** What was chosen is sent. The notes are not: they are all that was typed. */
export async function deleteChoice(ports: Pick<Ports, 'store'>, member: Member, ucid: string): Promise<void> {
  const stored = await typedNotes.read(ports, { ...member, ucid })
  if (stored) await typedNotes.write(ports, { ...member, ucid }, { value: { ...stored, disposition: null, callBackAt: null } })
}

export async function deleteCallNotes(ports: Pick<Ports, 'store'>, member: Member, ucid: string): Promise<void> {
  await typedNotes.delete(ports, { ...member, ucid })
}

/**
 * What a member typed about a call, and no outcome has, is in the call's record when the wrap-up is over, after what others wrote. Repeatable, and
 * nothing to do for other calls. Errors: STORE_UNAVAILABLE.
 */
export async function keepNotes(
  ports: Pick<Ports, 'clock' | 'notifications' | 'store'>,
  workspaceId: string,
  call: KnownCall,
): Promise<void> {
  if (!isWrapUpOver(call, ports.clock.now())) return
  const key = { workspaceId, ucid: call.ucid }
  const taker = await noteTakers.read(ports, key)
  const typed = taker && (await readCallNotes(ports, { workspaceId, memberId: taker.memberId }, call.ucid))
  if (!typed) return
  const known = call.notes ?? ''
  const base = known === joined(taker.base, taker.typed) ? taker.base : known
  const notes = joined(base, typed.notes)
  if (notes === known || notes.length > longestNotes) return
  await noteTakers.write(ports, key, { value: { ...taker, base, typed: typed.notes } })
  await updateCall(ports, key, factsOf({ notes }, { source: 'CORRECTED', receivedAt: ports.clock.now() }))
}

function joined(base: string, typed: string): string {
  if (typed.includes(base)) return typed
  return base.includes(typed) ? base : `${base}\n${typed}`
}

/** Of four members, each with the longest text. What does not fit stays with who typed it. */
const longestNotes = 32_000

/** Longer than any wrap-up lasts, if nobody reports its end. */
const longestWrapUpMs = 15 * 60_000

/** A missed call has none. The provider writes a text of its own when the wrap-up is over. */
function isWrapUpOver({ phase, wrapUpSeconds, automaticDisposition, endedAt }: KnownCall, now: number): boolean {
  if (phase === 'MISSED' || wrapUpSeconds !== null || automaticDisposition !== null) return true
  return endedAt !== null && now - Date.parse(endedAt) > longestWrapUpMs
}
