import { z } from 'zod'
import type { Actor } from '../../../access/actor.ts'
import type { Member } from '../../../ports/agents.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/ports.ts'
import { Family } from '../../../ports/stored/family.ts'
import type { CallPorts } from './call-ports.ts'
import { findOwnCall } from './find-own-call.ts'

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

type TypedNotes = Pick<CallNotes, 'ucid' | 'notes'> & { readonly [Name in 'disposition' | 'callBackAt']?: string | null | undefined }

/**
 * Replaces the actor's own notes about a call, and what they have chosen; nothing of both deletes them. The last request counts. Errors: NOT_FOUND,
 * NOT_YOURS.
 */
export async function saveCallNotes(
  ports: Pick<CallPorts, 'agentRecordCache' | 'callRecords' | 'clock' | 'configuration' | 'store'>,
  actor: Actor,
  { ucid, notes, disposition = null, callBackAt = null }: TypedNotes,
): Promise<CallNotes> {
  if (!(await findOwnCall(ports, actor, ucid))) throw new AppError('NOT_FOUND', { detail: 'There is no such call' })
  const value = { notes, disposition, callBackAt, savedAt: isoMoment(ports.clock.now()) }
  if (notes === '' && disposition === null && callBackAt === null) await deleteCallNotes(ports, actor.principal, ucid)
  else await typedNotes.write(ports, { ...actor.principal, ucid }, { value })
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
