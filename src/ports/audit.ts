/** What a person did here. It holds ids only: no names, numbers or secrets. */
export type AuditEntry = {
  readonly id: string
  /** Greater for newer entries; entries of two instances may have the same. */
  readonly order: number
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly actor: AuditActor
  /** What was done, as `area.verb` in the past tense: `session.released`, `member.created`. */
  readonly action: string
  /** To whom or to what, by id: `{ kind: 'agent', id: '...' }`; null if the action has no object. */
  readonly target: { readonly kind: string; readonly id: string } | null
  /** Few further facts that a manager may read. */
  readonly details: { readonly [name: string]: string | number | boolean | null }
}

/** The person who acted, and from where. */
export type AuditActor = { readonly userId: string; readonly memberId: string | null; readonly ip: string | null }

export type AuditPage = { readonly limit: number; readonly before?: Pick<AuditEntry, 'id' | 'order'> | null }

/** Who did what, when, to whom, per workspace; stored for 365 days. */
export interface Audit {
  /** Resolves when the entry is stored. Throws STORE_UNAVAILABLE (it may be stored even so). Not repeatable: each call is an entry. */
  record(workspaceId: string, act: Omit<AuditEntry, 'id' | 'order' | 'at'>): Promise<AuditEntry>
  /**
   * Newest first, `limit` (1 to 101) at a time; `before` is the last entry of the page before. Pages neither repeat nor skip an entry when
   * others are recorded meanwhile.
   */
  read(workspaceId: string, page: AuditPage): Promise<readonly AuditEntry[]>
}
