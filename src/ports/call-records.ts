import type { VisitSlot } from './doctors.ts'
import type { RecordAccess } from './record-access.ts'
import type { CallRecord as PlatformCall, CallValues } from './records/call.ts'
import type { LeadFields } from './records/lead.ts'

export type { PlatformCall }

/** Leads of the platform, by the configured names of objects and fields. Errors of all methods: the platform's. */
export interface LeadRecords {
  /** At most 10 leads with this number (E.164): those with it as primary number first, then by last change. Reads only. */
  byPhone(access: RecordAccess, phoneNumber: string): Promise<readonly MatchedLead[]>
  /** Whether somebody deleted a lead with this number (E.164), so that the platform could still restore it. Reads only. */
  wasDeleted(access: RecordAccess, phoneNumber: string): Promise<boolean>
  /** The lead of each number that exactly one lead has. One request for at most 60 numbers. Reads only. */
  byPhones(access: RecordAccess, phoneNumbers: readonly string[]): Promise<ReadonlyMap<string, LeadRecord>>
  /** Those of these leads, at most 200, that the access may read: a record that is gone is left out. One request. Reads only. */
  byIds(access: RecordAccess, leadIds: readonly string[]): Promise<readonly LeadRecord[]>
  /** Null if there is no such lead, or if the workspace has no leads. Reads only. */
  byId(access: RecordAccess, leadId: string): Promise<LeadRecord | null>
}

export type LeadRecord = Omit<LeadFields, 'phones' | 'aiSummary' | 'aiSuggestedAction' | 'aiInsightAt'> & {
  /** The primary number; E.164 if it is valid. */
  readonly phoneNumber: string | null
  /** What the language model wrote after the last call; null if the workspace has no field for its summary. */
  readonly insight: { readonly summary: string | null; readonly suggestedAction: string | null; readonly writtenAt: string | null } | null
}

export type MatchedLead = LeadRecord & { readonly matchedBy: 'PRIMARY_PHONE' | 'ADDITIONAL_PHONE' }

/** A lead as clients see it: found by a number, or the call's own. */
export type ShownLead = LeadRecord & Partial<Pick<MatchedLead, 'matchedBy'>>

/** Call records of the platform. Errors of all methods: the platform's. */
export interface CallRecords {
  /** The last calls of a lead, newest first. Reads only. */
  ofLead(access: RecordAccess, leadId: string, first: number): Promise<readonly PlatformCall[]>
  /** The last calls with a number (E.164, or the digits of one that cannot be that), newest first. Reads only. */
  withPhone(access: RecordAccess, phoneNumber: string, first: number): Promise<readonly PlatformCall[]>
  /** Null if the platform has no record of the call. Reads only. */
  byUcid(access: RecordAccess, ucid: string): Promise<PlatformCall | null>
  /**
   * Calls with one of these numbers (as for `withPhone`, at most 50) that somebody answered in this time (ISO 8601, both ends included), the earliest first,
   * at most 200. Empty if the workspace has no field for the number or the answer. Reads only.
   */
  answered(
    access: RecordAccess,
    wanted: { readonly phoneNumbers: readonly string[]; readonly from: string; readonly to: string },
    first: number,
  ): Promise<readonly PlatformCall[]>
  /** Calls that began in a time and match, newest first; two requests for more than 200. Empty if the workspace lacks a field that is needed. Reads only. */
  search(access: RecordAccess, query: CallQuery, first: number): Promise<readonly PlatformCall[]>
  /** By the record's id, a UUID; null if there is none that the access may see. Reads only. */
  byId(access: RecordAccess, id: string): Promise<PlatformCall | null>
  /**
   * Creates the call's record, or changes the given fields, and returns its id, which follows from the UCID. Fields that the workspace lacks
   * are left out, and so is a lead or an agent whose record is gone. Repeatable.
   */
  write(access: RecordAccess, call: CallWrite): Promise<{ readonly id: string }>
  /** Writes up to 60 calls with two requests: all, or none if the platform refuses one of them. Repeatable. */
  writeMany(access: RecordAccess, calls: readonly CallWrite[]): Promise<void>
}

/** What is looked for among the calls; null and undefined match every call. */
export type CallQuery = {
  /** ISO 8601, both ends included. */
  readonly from: string
  readonly to: string
  /** How many of the first calls are left out; of calls with one start, always the same come first. */
  readonly skip?: number
  /** As for `withPhone`. */
  readonly phoneNumber?: string | null | undefined
} & { readonly [Field in 'agentId' | 'campaignName' | 'direction' | 'status' | 'disposition']?: string | null | undefined }

/** What is still to do for a lead. Errors of all methods: the platform's. */
export interface LeadAgenda {
  /** Tasks that are not done, at most 10, the next due first. Reads only. */
  openTasks(access: RecordAccess, leadId: string): Promise<readonly LeadTask[]>
  /** The next booked visit that begins after `after`; null if there is none. Reads only. */
  nextVisit(access: RecordAccess, leadId: string, after: string): Promise<VisitSlot | null>
}

export type LeadTask = { readonly id: string; readonly title: string; readonly dueAt: string | null }

/** The next due first; tasks without a date come last. */
export function byDueDate(one: Pick<LeadTask, 'dueAt'>, other: Pick<LeadTask, 'dueAt'>): number {
  return dueMs(one) - dueMs(other)
}

const dueMs = ({ dueAt }: Pick<LeadTask, 'dueAt'>): number => Date.parse(dueAt ?? '9999-12-31')

/** Agent records by the agent's id at the provider. Errors of all methods: the platform's. */
export interface AgentDirectory {
  /** The record with this id at the provider, the oldest of several; null if there is none. At most five minutes old; null: half a minute for each 200 agents. */
  recordOf(access: RecordAccess, providerAgentId: string): Promise<AgentEntry | null>
  /** All of them, at most 5,000; at most five minutes old. */
  all(access: RecordAccess): Promise<readonly AgentEntry[]>
}

export type AgentEntry = {
  readonly id: string
  readonly name: string | null
  readonly providerAgentId: string
  /** An extension, or the phone number of an agent with a telephone. */
  readonly sipExtension: string | null
}

/** The fields to write; a field that is left out stays as it is. */
export type CallWrite = { readonly ucid: string; readonly values: CallValues }
