import type { SortedEntry } from './store.ts'

/** What people do here, as `area.verb` in the past tense. An entry of an earlier version may have another action. */
export const auditActions = [
  'member.created',
  'member.updated',
  'member.deactivated',
  'temporary-password.read',
  'session.released',
  'session.taken-over',
  'agent.stateChanged',
  'configuration.saved',
  'configuration.reset',
  'configuration.restored',
  'setup.completed',
  'setup.reopened',
  'setup.dismissed',
  'setup.reset',
  'platform.provisioned',
  'widgetKey.created',
  'widgetKey.rotated',
  'widgetKey.deleted',
  'webhookKey.rotated',
  'webhook.replayed',
  'deadLetter.replayed',
  'worklist.assigned',
  'worklist.scheduled',
  'worklist.finished',
  'worklist.claimEnded',
  'worklist.claimOverridden',
  'disposition.given',
  'disposition.corrected',
  'call.transferred',
  'alert.acknowledged',
  'scorecard.corrected',
  'scorecard.correctionWithdrawn',
  'calls.exported',
  'scorecards.exported',
] as const
export type AuditAction = (typeof auditActions)[number]

/** What a person did here. It names staff as they were called then. It has no names, numbers or secrets of patients, except what a manager writes into a free text. */
export type AuditEntry = {
  readonly id: string
  /** Greater for newer entries; entries of two instances may have the same. */
  readonly order: number
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly actor: AuditActor
  /** What was done: one of `auditActions`. */
  readonly action: string
  /** To whom or to what: `{ kind: 'agent', id: '...', name: 'Asha Menon' }`; null if the action has no object. */
  readonly target: AuditTarget | null
  /** Few further facts that a manager may read. */
  readonly details: { readonly [name: string]: string | number | boolean | null }
}

/** The person who acted, and from where. `name`: at that time; null if it could not be read, and in entries of earlier versions. */
export type AuditActor = {
  readonly userId: string
  readonly memberId: string | null
  readonly name: string | null
  readonly ip: string | null
}

/** `name`: at that time; null if it could not be read, if the id says enough, and in entries of earlier versions. */
export type AuditTarget = { readonly kind: string; readonly id: string; readonly name: string | null }

export type AuditAct = Omit<AuditEntry, 'id' | 'order' | 'at' | 'action'> & { readonly action: AuditAction }

/** The place of an entry in the log. */
export type AuditPlace = Pick<AuditEntry, 'id' | 'order'>

export type AuditFilter = {
  /** The member who acted. */
  readonly memberId?: string | null | undefined
  readonly targetId?: string | null | undefined
  /** A whole action, or what is before its dot: `session` stands for every `session.…`. */
  readonly action?: string | null | undefined
  /** ISO 8601: at this moment or later. */
  readonly from?: string | null | undefined
  /** ISO 8601: before this moment. */
  readonly to?: string | null | undefined
}

export type AuditPage = { readonly limit: number; readonly before?: AuditPlace | null }

/** `readTo`: where reading ended before there were `limit` entries, although there may be more; null if there are none. */
export type AuditFound = { readonly entries: readonly AuditEntry[]; readonly readTo: AuditPlace | null }

/** Who did what, when, to whom, per workspace; stored for 365 days. */
export interface Audit {
  /** Resolves when the entry is stored. Throws STORE_UNAVAILABLE (it may be stored even so). Not repeatable: each call is an entry. */
  record(workspaceId: string, act: AuditAct): Promise<AuditEntry>
  /**
   * The same for an act that is one change of a value in the store, which records the entry itself in the step of that change (`add` of
   * `compareAndSet`): no act without its entry, and no entry of an act that was not done.
   */
  entryOf(workspaceId: string, act: AuditAct): SortedEntry
  /**
   * Newest first, `limit` (1 to 101) at a time; `before` is the last entry of the page before. Pages neither repeat nor skip an entry when
   * others are recorded meanwhile.
   */
  read(workspaceId: string, page: AuditPage): Promise<readonly AuditEntry[]>
  /** The same with only what the filter lets pass. It looks at 5,000 entries at most. */
  find(workspaceId: string, page: AuditPage, filter: AuditFilter): Promise<AuditFound>
}
