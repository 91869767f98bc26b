import { z } from 'zod'
import type { Configuration } from '../../configuration/configuration.ts'
import type { InsightRecords, WrittenInsight } from '../../insights/ports.ts'
import { AppError } from '../../kernel/errors.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { RecordAccess } from '../../kernel/record-access.ts'
import { leadColumn } from './activity-queries.ts'
import { writableValue } from './field-values.ts'
import type { ObjectShapes } from './object-shapes.ts'
import type { RecordGate } from './record-gate.ts'
import { nodeSchema } from './record-object.ts'
import type { Records } from './records.ts'

export type InsightRecordsOptions = {
  readonly records: Records
  readonly gate: RecordGate
  readonly shapes: ObjectShapes
  readonly configuration: Configuration
}

/** Insights in the lead's own fields; where the workspace lacks them, in one note on the lead, whose id follows from the lead. */
export function createInsightRecords(options: InsightRecordsOptions): InsightRecords {
  const { records } = options
  return {
    async write(access, leadId, insight) {
      const lead = await records.object(access, 'lead')
      if (lead && lead.column('aiSummary') === null) return writeNote(options, { access, leadId, insight })
      const { summary, suggestedAction, writtenAt } = insight
      await records.update(access, 'lead', {
        id: leadId,
        values: { aiSummary: summary, aiSuggestedAction: suggestedAction, aiInsightAt: writtenAt },
      })
    },
    async readable(access, leadIds) {
      const ids = leadIds.filter((id) => isUuid(id))
      if (ids.length === 0) return new Set()
      const rows = await records.list(access, 'lead', { fields: ['id'], filter: () => ({ id: { in: ids } }), first: ids.length })
      return new Set(rows.map(({ id }) => id))
    },
  }
}

function isUuid(text: string): boolean {
  return z.guid().safeParse(text).success
}

type NoteWrite = { readonly access: RecordAccess; readonly leadId: string; readonly insight: WrittenInsight }

const noteTitle = 'Call insight'

/** Both records by chosen ids: a repetition changes the note that stands. One request, so that the note is never without its lead. */
async function writeNote({ gate, shapes, configuration }: InsightRecordsOptions, { access, leadId, insight }: NoteWrite): Promise<void> {
  const { objects } = await configuration.read(access.workspaceId, 'platform')
  const [note, noteTarget] = await Promise.all([shapes.of(access, 'Note'), shapes.of(access, 'NoteTarget')])
  const body = ['bodyV2', 'body'].find((field) => note?.has(field))
  const column = leadColumn(noteTarget, objects.lead.singular)
  const shape = body === undefined ? undefined : note?.get(body)
  if (body === undefined || shape === undefined || column === null) {
    throw new AppError('NOT_CONFIGURED', { detail: 'The workspace has neither fields nor notes for insights on leads' })
  }
  const text = `${insight.summary}\n\nSuggested: ${insight.suggestedAction.toLowerCase().replaceAll('_', ' ')}`
  const noteId = derivedId('insight-note', access.workspaceId, leadId)
  await gate({
    access,
    cost: 2,
    document: `mutation($notes: [NoteCreateInput!]!, $targets: [NoteTargetCreateInput!]!) {
  createNotes(data: $notes, upsert: true) { id }
  createNoteTargets(data: $targets, upsert: true) { id }
}`,
    variables: {
      notes: [{ id: noteId, title: noteTitle, [body]: writableValue(shape, text) }],
      targets: [{ id: derivedId('insight-note-target', access.workspaceId, leadId), noteId, [column]: leadId }],
    },
    answer: z.object({ createNotes: z.array(nodeSchema), createNoteTargets: z.array(nodeSchema) }),
  })
}
