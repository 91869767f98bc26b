import { z } from 'zod'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import { AppError } from '../../kernel/errors.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { LeadNotes } from '../../ports/lead-notes.ts'
import { leadColumn } from './activity-queries.ts'
import { writableValue } from './field-values.ts'
import type { ObjectShapes } from './object-shapes.ts'
import type { RecordGate } from './record-gate.ts'
import { nodeSchema } from './record-object.ts'

/**
 * Both records have derived ids, so a repetition changes the existing note. Two requests, because the platform runs the root fields of one
 * mutation at the same time (Twenty 2.21, recorded), and a note must exist before its lead is linked.
 */
export function createLeadNotes({
  gate,
  shapes,
  configuration,
}: {
  readonly gate: RecordGate
  readonly shapes: ObjectShapes
  readonly configuration: Configuration
}): LeadNotes {
  return {
    async write(access, { leadId, reference, title, text }) {
      const { objects } = await configuration.read(access.workspaceId, 'platform')
      const [note, noteTarget] = await Promise.all([shapes.of(access, 'Note'), shapes.of(access, 'NoteTarget')])
      const body = ['bodyV2', 'body'].find((field) => note?.has(field))
      const column = leadColumn(noteTarget, objects.lead.singular)
      const shape = body === undefined ? undefined : note?.get(body)
      if (body === undefined || shape === undefined || column === null) {
        throw new AppError('NOT_CONFIGURED', { detail: 'The workspace has no notes on leads' })
      }
      const noteId = derivedId('lead-note', access.workspaceId, reference)
      await gate({
        access,
        document: 'mutation($notes: [NoteCreateInput!]!) { createNotes(data: $notes, upsert: true) { id } }',
        variables: { notes: [{ id: noteId, title, [body]: writableValue(shape, text) }] },
        answer: z.object({ createNotes: z.array(nodeSchema) }),
      })
      const targetId = derivedId('lead-note-target', access.workspaceId, reference)
      await gate({
        access,
        document: 'mutation($targets: [NoteTargetCreateInput!]!) { createNoteTargets(data: $targets, upsert: true) { id } }',
        variables: { targets: [{ id: targetId, noteId, [column]: leadId }] },
        answer: z.object({ createNoteTargets: z.array(nodeSchema) }),
      })
    },
  }
}
