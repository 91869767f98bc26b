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

/** Both records have derived ids, so a repetition changes the existing note. One request, so that a note always has its lead. */
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
        cost: 2,
        document: `mutation($notes: [NoteCreateInput!]!, $targets: [NoteTargetCreateInput!]!) {
  createNotes(data: $notes, upsert: true) { id }
  createNoteTargets(data: $targets, upsert: true) { id }
}`,
        variables: {
          notes: [{ id: noteId, title, [body]: writableValue(shape, text) }],
          targets: [{ id: derivedId('lead-note-target', access.workspaceId, reference), noteId, [column]: leadId }],
        },
        answer: z.object({ createNotes: z.array(nodeSchema), createNoteTargets: z.array(nodeSchema) }),
      })
    },
  }
}
