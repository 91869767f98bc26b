import { z } from 'zod'
import type { Member } from '../../ports/agents.ts'
import type { Version } from '../../ports/store.ts'
import type { AgentCredentials } from '../../ports/telephony.ts'
import { Family } from '../../ports/stored/family.ts'
import { byAgent, type ProviderAgentKey } from './provider-agent-key.ts'
import { sessionLockTtlMs } from './session-lock.ts'
import type { SessionPorts } from './session-ports.ts'

const signInSchema = z.object({ userId: z.string(), id: z.string() })
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
  /** The sign-in that ends with the session; null if its tokens do not name their owner. */
  signIn: signInSchema.nullish(),
  /** Other sign-ins of the member that end when this session is confirmed: of the session that it took over, and of those before. */
  replaces: z.array(signInSchema).optional(),
})
type StoredFields = z.output<typeof storedSchema>
const credentialsSchema = z.object({ agentId: z.string(), password: z.string() })

/**
 * What is stored about the last session of a provider agent beside its lock. Only the holder of the agent's lease writes it. All functions
 * throw STORE_UNAVAILABLE.
 */
export type SessionRecord = Omit<StoredFields, 'credentials'> & { readonly credentials: AgentCredentials | null }
export type StoredSessionRecord = { readonly record: SessionRecord; readonly version: Version }

type RecordPorts = Pick<SessionPorts, 'store' | 'sessionBox'>

/** How long a sign-out at the provider is tried again. */
export const signOutForMs = 24 * 3_600_000
/** The cleanup job renews it every hour while the session lasts; after this time without the service nobody needs it. */
const recordTtlMs = 30 * 24 * 3_600_000

export const sessionRecords = new Family({
  name: 'sessions:*:record',
  key: byAgent,
  schema: storedSchema,
  lifetime: recordTtlMs,
  about: 'agent',
  what: 'the session of an agent, password sealed; renewed while the session lasts',
})

/** The provider agent of a member's last session. */
export const agentsOfMembers = new Family({
  name: 'sessions:*:member',
  key: ({ workspaceId, memberId }: Member) => [workspaceId, memberId],
  schema: z.string(),
  form: 'TEXT',
  lifetime: recordTtlMs,
  about: 'agent',
  what: 'which agent a member is; renewed while the session lasts',
})

/** ISO 8601. */
export const heartbeats = new Family({
  name: 'sessions:*:heartbeat',
  key: byAgent,
  schema: z.string(),
  form: 'TEXT',
  lifetime: sessionLockTtlMs,
  about: 'agent',
  what: 'the last heartbeat of an agent',
})

/** Writes the record of a new session, and which provider agent its member uses. */
export async function writeSessionRecord(ports: RecordPorts, agentKey: ProviderAgentKey, record: SessionRecord): Promise<void> {
  const { workspaceId, providerAgentId } = agentKey
  await Promise.all([
    sessionRecords.write(ports, agentKey, { value: sealed(ports, agentKey, record) }),
    agentsOfMembers.write(ports, { workspaceId, memberId: record.memberId }, { value: providerAgentId }),
  ])
}

/** Lets the record live on: for a session that lasts. */
export async function renewSessionRecord(ports: RecordPorts, agentKey: ProviderAgentKey): Promise<void> {
  const stored = await sessionRecords.readStored(ports, agentKey)
  if (!stored.value) return
  const { workspaceId, providerAgentId } = agentKey
  const member = { workspaceId, memberId: stored.value.memberId }
  const version = agentsOfMembers.versionOf(providerAgentId)
  await Promise.all([
    sessionRecords.replaceText(ports, agentKey, stored),
    agentsOfMembers.replace(ports, member, { version, value: providerAgentId }),
  ])
}

export async function readSessionRecord(ports: RecordPorts, agentKey: ProviderAgentKey): Promise<StoredSessionRecord | null> {
  const { value, version } = await sessionRecords.readStored(ports, agentKey)
  return version === null || value === null ? null : { record: opened(ports, agentKey, value), version }
}

/**
 * Many records with one read, in the order of the keys, without their credentials, which stay sealed. One that cannot be read counts as none, so that
 * it does not hide the others.
 */
export function readSessionRecords(
  ports: Pick<RecordPorts, 'store'>,
  agentKeys: readonly ProviderAgentKey[],
): Promise<readonly (Omit<SessionRecord, 'credentials'> | null)[]> {
  return sessionRecords.readMany(ports, agentKeys)
}

/** Marks the session as over; returns the record as it is stored then. A record that was replaced meanwhile stays as it is. */
export async function markSessionOver(
  ports: RecordPorts,
  agentKey: ProviderAgentKey,
  stored: StoredSessionRecord,
): Promise<StoredSessionRecord> {
  const record = { ...stored.record, isOver: true }
  const value = sealed(ports, agentKey, record)
  const version = await sessionRecords.replace(ports, agentKey, { version: stored.version, value, lifetime: signOutForMs })
  return version === null ? stored : { record, version }
}

/** Deletes exactly this record. */
export async function deleteSessionRecord(
  ports: RecordPorts,
  agentKey: ProviderAgentKey,
  { record: { memberId }, version }: StoredSessionRecord,
): Promise<void> {
  const { workspaceId, providerAgentId } = agentKey
  await sessionRecords.deleteVersion(ports, agentKey, version)
  await agentsOfMembers.deleteVersion(ports, { workspaceId, memberId }, agentsOfMembers.versionOf(providerAgentId))
}

/** The provider agent of the member's last session. */
export async function agentKeyOfMember(ports: Pick<RecordPorts, 'store'>, member: Member): Promise<ProviderAgentKey | null> {
  const providerAgentId = await agentsOfMembers.read(ports, member)
  return providerAgentId === null ? null : { workspaceId: member.workspaceId, providerAgentId }
}

/** The member uses the provider agent `to` again, if they still use `from` or none. */
export async function restoreAgentOfMember(
  ports: Pick<RecordPorts, 'store'>,
  memberId: string,
  { from, to: { workspaceId, providerAgentId: value } }: { readonly from: ProviderAgentKey; readonly to: ProviderAgentKey },
): Promise<void> {
  const member = { workspaceId, memberId }
  const version = agentsOfMembers.versionOf(from.providerAgentId)
  if ((await agentsOfMembers.replace(ports, member, { version, value })) === null) await agentsOfMembers.writeNew(ports, member, { value })
}

/** `at`: ISO 8601. */
export function writeHeartbeat(ports: Pick<RecordPorts, 'store'>, agentKey: ProviderAgentKey, at: string): Promise<void> {
  return heartbeats.write(ports, agentKey, { value: at })
}

/** When each agent sent its last heartbeat (ISO 8601), in the order of the keys. */
export function readHeartbeats(
  ports: Pick<RecordPorts, 'store'>,
  agentKeys: readonly ProviderAgentKey[],
): Promise<readonly (string | null)[]> {
  return heartbeats.readMany(ports, agentKeys)
}

function sealed({ sessionBox }: RecordPorts, agentKey: ProviderAgentKey, { credentials, ...record }: SessionRecord): StoredFields {
  return { ...record, credentials: credentials && sessionBox.seal(JSON.stringify(credentials), sessionRecords.keyText(agentKey)) }
}

function opened({ sessionBox }: RecordPorts, agentKey: ProviderAgentKey, { credentials, ...record }: StoredFields): SessionRecord {
  if (credentials === null) return { ...record, credentials }
  const text = sessionBox.open(credentials, sessionRecords.keyText(agentKey))
  return { ...record, credentials: credentialsSchema.parse(JSON.parse(text)) }
}
