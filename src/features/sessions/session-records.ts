import { z } from 'zod'
import type { Member } from '../../ports/agents.ts'
import type { AgentCredentials } from '../../ports/telephony.ts'
import { type ProviderAgentKey, agentStoreKey } from './provider-agent-key.ts'
import { sessionLockTtlMs } from './session-lock.ts'
import type { SessionPorts } from './session-ports.ts'

const storedSchema = z.object({
  agentId: z.string(),
  agentName: z.string(),
  memberId: z.string(),
  lockedAt: z.string(),
  /** For the sign-out at the provider, sealed; null if the agent cannot sign in there. */
  credentials: z.string().nullable(),
  /** The session is over; only the sign-out at the provider remains to be done. */
  isOver: z.boolean(),
  /** Hash of the access token that took the session over from another device; null if the session began with a free agent. */
  takenOverBy: z.string().nullable().default(null),
})
const withoutCredentialsSchema = storedSchema.omit({ credentials: true })
type StoredFields = z.output<typeof storedSchema>
const credentialsSchema = z.object({ agentId: z.string(), password: z.string() })

/**
 * What is stored about the last session of a provider agent beside its lock. Only the holder of the agent's lease writes it. All functions
 * throw STORE_UNAVAILABLE.
 */
export type SessionRecord = Omit<StoredFields, 'credentials'> & { readonly credentials: AgentCredentials | null }
/** `text`: the stored value, for comparing. */
export type StoredSessionRecord = { readonly record: SessionRecord; readonly text: string }

type RecordPorts = Pick<SessionPorts, 'store' | 'sessionBox'>

/** How long a sign-out at the provider is tried again. */
export const signOutForMs = 24 * 3_600_000
/** The cleanup job renews it every hour while the session lasts; after this time without the service nobody needs it. */
const recordTtlMs = 30 * 24 * 3_600_000

/** Writes the record of a new session, and which provider agent its member uses. */
export async function writeSessionRecord(ports: RecordPorts, agentKey: ProviderAgentKey, record: SessionRecord): Promise<void> {
  const member = { workspaceId: agentKey.workspaceId, memberId: record.memberId }
  await Promise.all([
    ports.store.set(recordKey(agentKey), serialize(ports, agentKey, record), { ttlMs: recordTtlMs }),
    ports.store.set(memberKey(member), agentKey.providerAgentId, { ttlMs: recordTtlMs }),
  ])
}

/** Lets the record live on: for a session that lasts. */
export async function renewSessionRecord(ports: RecordPorts, agentKey: ProviderAgentKey): Promise<void> {
  const stored = await readSessionRecord(ports, agentKey)
  if (!stored) return
  const { text, record } = stored
  const member = memberKey({ workspaceId: agentKey.workspaceId, memberId: record.memberId })
  const { providerAgentId } = agentKey
  await Promise.all([
    ports.store.compareAndSet(recordKey(agentKey), { expected: text, value: text, ttlMs: recordTtlMs }),
    ports.store.compareAndSet(member, { expected: providerAgentId, value: providerAgentId, ttlMs: recordTtlMs }),
  ])
}

export async function readSessionRecord(ports: RecordPorts, agentKey: ProviderAgentKey): Promise<StoredSessionRecord | null> {
  const text = await ports.store.get(recordKey(agentKey))
  return text === null ? null : { text, record: parse(ports, agentKey, text) }
}

/**
 * Many records with one read, in the order of the keys, without their credentials, which stay sealed. One that cannot be read counts as none, so that
 * it does not hide the others.
 */
export async function readSessionRecords(
  { store }: Pick<RecordPorts, 'store'>,
  agentKeys: readonly ProviderAgentKey[],
): Promise<readonly (Omit<SessionRecord, 'credentials'> | null)[]> {
  const texts = await store.getMany(agentKeys.map(recordKey))
  return texts.map((text) => (text === null ? null : readable(text)))
}

/** Marks the session as over; returns the record as it is stored then. A record that was replaced meanwhile stays as it is. */
export async function markSessionOver(
  ports: RecordPorts,
  agentKey: ProviderAgentKey,
  stored: StoredSessionRecord,
): Promise<StoredSessionRecord> {
  const record = { ...stored.record, isOver: true }
  const text = serialize(ports, agentKey, record)
  const isMarked = await ports.store.compareAndSet(recordKey(agentKey), { expected: stored.text, value: text, ttlMs: signOutForMs })
  return isMarked ? { record, text } : stored
}

/** Deletes exactly this record. */
export async function deleteSessionRecord(ports: RecordPorts, agentKey: ProviderAgentKey, stored: StoredSessionRecord): Promise<void> {
  const member = { workspaceId: agentKey.workspaceId, memberId: stored.record.memberId }
  await ports.store.compareAndDelete(recordKey(agentKey), stored.text)
  await ports.store.compareAndDelete(memberKey(member), agentKey.providerAgentId)
}

/** The provider agent of the member's last session. */
export async function agentKeyOfMember({ store }: Pick<RecordPorts, 'store'>, member: Member): Promise<ProviderAgentKey | null> {
  const providerAgentId = await store.get(memberKey(member))
  return providerAgentId === null ? null : { workspaceId: member.workspaceId, providerAgentId }
}

/** The member uses the provider agent `to` again, if they still use `from` or none. */
export async function restoreAgentOfMember(
  { store }: Pick<RecordPorts, 'store'>,
  memberId: string,
  { from, to }: { readonly from: ProviderAgentKey; readonly to: ProviderAgentKey },
): Promise<void> {
  const key = memberKey({ workspaceId: to.workspaceId, memberId })
  const change = { expected: from.providerAgentId, value: to.providerAgentId, ttlMs: recordTtlMs }
  if (!(await store.compareAndSet(key, change))) await store.setIfAbsent(key, to.providerAgentId, { ttlMs: recordTtlMs })
}

/** `at`: ISO 8601. */
export function writeHeartbeat({ store }: Pick<RecordPorts, 'store'>, agentKey: ProviderAgentKey, at: string): Promise<void> {
  return store.set(agentStoreKey(agentKey, 'heartbeat'), at, { ttlMs: sessionLockTtlMs })
}

/** When each agent sent its last heartbeat (ISO 8601), in the order of the keys. */
export function readHeartbeats(
  { store }: Pick<RecordPorts, 'store'>,
  agentKeys: readonly ProviderAgentKey[],
): Promise<readonly (string | null)[]> {
  return store.getMany(agentKeys.map((agentKey) => agentStoreKey(agentKey, 'heartbeat')))
}

function serialize({ sessionBox }: RecordPorts, agentKey: ProviderAgentKey, { credentials, ...record }: SessionRecord): string {
  const sealed = credentials && sessionBox.seal(JSON.stringify(credentials), recordKey(agentKey))
  return JSON.stringify({ ...record, credentials: sealed } satisfies StoredFields)
}

function parse({ sessionBox }: RecordPorts, agentKey: ProviderAgentKey, text: string): SessionRecord {
  const { credentials, ...record } = storedSchema.parse(JSON.parse(text))
  const opened = credentials && credentialsSchema.parse(JSON.parse(sessionBox.open(credentials, recordKey(agentKey))))
  return { ...record, credentials: opened || null }
}

/** Null if another version of this service has written it. */
function readable(text: string): Omit<SessionRecord, 'credentials'> | null {
  try {
    return withoutCredentialsSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function recordKey(agentKey: ProviderAgentKey): string {
  return agentStoreKey(agentKey, 'record')
}

function memberKey({ workspaceId, memberId }: Member): string {
  return `sessions:${workspaceId}:member:${memberId}`
}
