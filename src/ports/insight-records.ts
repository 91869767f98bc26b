import type { VisitSlot } from './doctors.ts'
import type { RecordAccess } from './record-access.ts'

/** What happened around a lead lately, newest first. Errors: as the platform's. */
export interface LeadActivityRecords {
  /** Null where there is no such lead. What the workspace does not keep is empty. Reads only. */
  read(access: RecordAccess, leadId: string, signal?: AbortSignal): Promise<LeadActivity | null>
}

export type LeadActivity = {
  readonly lead: { readonly name: string | null; readonly status: string | null; readonly source: string | null }
  /** `what` in the platform's words, for example `lead.updated`. */
  readonly timeline: readonly { readonly at: string | null; readonly what: string; readonly about: string | null }[]
  readonly notes: readonly { readonly at: string | null; readonly title: string | null; readonly text: string | null }[]
  readonly tasks: readonly {
    readonly title: string | null
    readonly status: string | null
    readonly dueAt: string | null
    readonly text: string | null
  }[]
  readonly calls: readonly {
    readonly ucid: string | null
    readonly direction: string | null
    readonly status: string | null
    readonly startedAt: string | null
    readonly durationSeconds: number | null
    readonly disposition: string | null
    readonly notes: string | null
  }[]
  /** Of the last months and those to come, the earliest first. */
  readonly visits: readonly VisitSlot[]
}

/** What the analysis of a call's recording came to, in words. */
export type CallRecording = { readonly summary: string | null; readonly outcome: string | null; readonly topics: readonly string[] }

/** Where insights are kept on the platform. Errors: as the platform's; NOT_FOUND where the lead is gone. */
export interface InsightRecords {
  /** Writes the lead's insight over the one before. Repeatable. */
  write(access: RecordAccess, leadId: string, insight: WrittenInsight): Promise<void>
  /** Which of at most 100 leads there are for whoever reads. Reads only; one request. */
  readable(access: RecordAccess, leadIds: readonly string[]): Promise<ReadonlySet<string>>
}

export type WrittenInsight = { readonly summary: string; readonly suggestedAction: string; readonly writtenAt: string }
