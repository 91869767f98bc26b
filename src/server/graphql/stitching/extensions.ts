import type { PlatformSection } from '../../../ports/configuration/platform.ts'

/** A field that we add to one of the workspace's types, as data: it crosses to the worker. */
export type PlatformExtension = {
  /** The workspace's type, for example `Lead`. */
  readonly typeName: string
  readonly fieldName: string
  /** The type of the field, one of ours; nullable. */
  readonly fieldType: string
  readonly description: string
  readonly source: FieldsSource | BatchSource
}

/** Made of fields of the record itself: ours -> the workspace's. Null where the record lacks the first of them. */
export type FieldsSource = { readonly from: 'fields'; readonly fields: Readonly<Record<string, string>> }
/**
 * Asked of a root field of ours for all records of an answer at once: ids in, a list in the same order out. With `fields` (ours -> the
 * workspace's) an object goes in for each record: its id, and what those fields say where the workspace has them.
 */
export type BatchSource = {
  readonly from: 'batch'
  readonly rootField: string
  readonly argument: string
  readonly fields?: Readonly<Record<string, string>>
}

/** The fields added in a workspace, under the names that its configuration gives the objects. */
export function platformExtensions({ objects }: PlatformSection): readonly PlatformExtension[] {
  const { lead, call } = objects
  return [
    {
      typeName: typeNameOf(lead.singular),
      fieldName: 'insight',
      fieldType: 'LeadInsight',
      description: 'What the model made of the lead after its last call.',
      source: {
        from: 'batch',
        rootField: 'leadInsights',
        argument: 'leads',
        fields: { summary: lead.fields.aiSummary, suggestedAction: lead.fields.aiSuggestedAction, writtenAt: lead.fields.aiInsightAt },
      },
    },
    {
      typeName: typeNameOf(call.singular),
      fieldName: 'analysis',
      fieldType: 'RecordingAnalysis',
      description: "What was said in the call's recording, where it has been analysed; reading it begins nothing.",
      source: { from: 'batch', rootField: 'recordingAnalyses', argument: 'callIds' },
    },
  ]
}

/** The names of all fields that may be added anywhere: an operation that selects one of them may need the stitched schema. */
export const addedFieldNames: ReadonlySet<string> = new Set(['insight', 'analysis'])

/** The platform makes types of objects by a capital first letter. */
function typeNameOf(object: string): string {
  return object.slice(0, 1).toUpperCase() + object.slice(1)
}
