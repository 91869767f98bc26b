import type { VisitSlot } from './doctors.ts'
import type { RecordAccess } from './record-access.ts'

/** The recent activity of a lead, newest first. Errors: the platform's, but not for parts that the role may not read. */
export interface LeadActivityRecords {
  /** Null if there is no such lead. Kinds of records that the workspace does not have are empty. Reads only. */
  read(access: RecordAccess, leadId: string, signal?: AbortSignal): Promise<LeadActivity | null>
}

export type LeadActivity = {
  readonly lead: { readonly name: string | null; readonly status: string | null; readonly source: string | null }
  /** `what` is the platform's name, for example `lead.updated`. */
  readonly timeline: readonly { readonly at: string | null; readonly what: string; readonly about: string | null }[]
  readonly notes: readonly { readonly at: string | null; readonly title: string | null; readonly text: string | null }[]
  readonly tasks: readonly {
    readonly title: string | null
    readonly status: string | null
    readonly dueAt: string | null
    readonly text: string | null
  }[]
  readonly calls: readonly {
    readonly id: string
    readonly ucid: string | null
    readonly direction: string | null
    readonly status: string | null
    readonly startedAt: string | null
    readonly durationSeconds: number | null
    readonly disposition: string | null
    readonly notes: string | null
  }[]
  /** Of the last months and in the future, the earliest first. */
  readonly visits: readonly VisitSlot[]
  /** The parts that the token's role may not read; they are empty. */
  readonly unavailable: readonly ActivityPart[]
}

export type ActivityPart = 'TIMELINE' | 'NOTES' | 'TASKS' | 'CALLS' | 'VISITS'

/** The result of the analysis of a call's recording, as text. `callId`: the call's record; `analyzedAt`: ISO 8601. */
export type CallRecording = {
  readonly callId: string
  readonly analyzedAt: string
  readonly summary: string | null
  readonly outcome: string | null
  readonly topics: readonly string[]
}

/** Insights on the platform's lead records. Errors: the platform's; NOT_FOUND if the lead was deleted. */
export interface InsightRecords {
  /** Replaces the lead's insight. Repeatable. */
  write(access: RecordAccess, leadId: string, insight: WrittenInsight): Promise<void>
  /** The ids of those leads (at most 100) that `access` may read. Reads only; one request. */
  readable(access: RecordAccess, leadIds: readonly string[]): Promise<ReadonlySet<string>>
}

export type WrittenInsight = { readonly summary: string; readonly suggestedAction: string; readonly writtenAt: string }
