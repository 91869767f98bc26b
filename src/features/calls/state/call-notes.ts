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

/** Who typed last about a call: they may have no session any more when it is over. */
export const noteTakers = new Family({
  name: 'call-notes-taker',
  key: ({ workspaceId, ucid }: CallKey) => [workspaceId, ucid],
  schema: z.object({ memberId: z.string() }),
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
    await noteTakers.write(ports, { workspaceId, ucid }, { value: { memberId } })
    await typedNotes.write(ports, { workspaceId, memberId, ucid }, { value })
    // It may have ended since.
    const call = await readCall(ports, { workspaceId, ucid })
    if (call) await keepNotes(ports, workspaceId, call)
  }
  return { ucid, ...value }
}

/** What was typed about the call last, by anybody. Null if nothing was. */
async function readTypedNotes(ports: Pick<Ports, 'store'>, call: CallKey): Promise<CallNotes | null> {
  const taker = await noteTakers.read(ports, call)
  return taker && readCallNotes(ports, { workspaceId: call.workspaceId, ...taker }, call.ucid)
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
 * What a member typed about a call, and no outcome has, is in the call's record when the wrap-up is over. Repeatable, and nothing to do for other
 * calls. Errors: STORE_UNAVAILABLE.
 */
export async function keepNotes(
  ports: Pick<Ports, 'clock' | 'notifications' | 'store'>,
  workspaceId: string,
  call: KnownCall,
): Promise<void> {
  if (!isWrapUpOver(call, ports.clock.now())) return
  const typed = await readTypedNotes(ports, { workspaceId, ucid: call.ucid })
  const notes = withTyped(call, typed?.notes ?? '')
  if (!typed || notes === (call.notes ?? '')) return
  const facts = factsOf({ notes }, { source: 'CORRECTED', receivedAt: Date.parse(typed.savedAt) })
  await updateCall(ports, { workspaceId, ucid: call.ucid }, facts)
}

/** The notes of an outcome stay: who typed may not have seen them. */
function withTyped({ disposition, notes }: KnownCall, typed: string): string {
  const known = notes ?? ''
  if (typed === '' || known.includes(typed)) return known
  return disposition === null || typed.includes(known) ? typed : `${known}\n${typed}`
}

/** Longer than any wrap-up lasts, if nobody reports its end. */
const longestWrapUpMs = 15 * 60_000

/** A missed call has none. The provider writes a text of its own when the wrap-up is over. */
function isWrapUpOver({ phase, wrapUpSeconds, automaticDisposition, endedAt }: KnownCall, now: number): boolean {
  if (phase === 'MISSED' || wrapUpSeconds !== null || automaticDisposition !== null) return true
  return endedAt !== null && now - Date.parse(endedAt) > longestWrapUpMs
}
