import type { ObjectNames } from './object-names.ts'

/** A field that we add to a type of the workspace. */
export type PlatformExtension = {
  /** The workspace's type, for example `Lead`. */
  readonly typeName: string
  readonly fieldName: string
  /** A type of ours; nullable. */
  readonly fieldType: string
  readonly description: string
  readonly source: BatchSource
}

/**
 * Read from a root field of ours for all records of an answer at once: a list of ids in, a list in the same order out. With `fields`
 * (our name -> the workspace's) the list has an object for each record: its id and the values of those fields that the workspace has.
 */
export type BatchSource = {
  readonly rootField: string
  readonly argument: string
  readonly fields?: Readonly<Record<string, string>>
}

/** The fields that are added in a workspace with these names. */
export function platformExtensions({ lead, call }: ObjectNames): readonly PlatformExtension[] {
  return [
    {
      typeName: lead.typeName,
      fieldName: 'insight',
      fieldType: 'LeadInsight',
      description: 'The AI insight of the lead after its last call.',
      source: {
        rootField: 'leadInsights',
        argument: 'leads',
        fields: { summary: lead.aiSummary, suggestedAction: lead.aiSuggestedAction, writtenAt: lead.aiInsightAt },
      },
    },
    {
      typeName: call.typeName,
      fieldName: 'analysis',
      fieldType: 'RecordingAnalysis',
      description: "The analysis of the call's recording; null if it has not been analysed. Reading it starts no analysis.",
      source: { rootField: 'recordingAnalyses', argument: 'callIds' },
    },
    {
      typeName: call.typeName,
      fieldName: 'analysisStatus',
      fieldType: 'RecordingStatus',
      description: "How far the analysis of the call's recording is; null if it is neither queued nor analysed.",
      source: { rootField: 'recordingStatuses', argument: 'callIds' },
    },
  ]
}

/** The root field that each added field is read from, by the name of the added field. */
export const addedFieldSources: ReadonlyMap<string, string> = new Map([
  ['insight', 'leadInsights'],
  ['analysis', 'recordingAnalyses'],
  ['analysisStatus', 'recordingStatuses'],
])
/** The names of all added fields. An operation that selects one of them may need the stitched schema. */
export const addedFieldNames: ReadonlySet<string> = new Set(addedFieldSources.keys())
