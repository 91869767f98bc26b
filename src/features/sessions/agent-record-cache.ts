import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { WithFallback } from '../../kernel/with-fallback.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Notifications } from '../../ports/notifications.ts'
import type { SecretBox } from '../../kernel/secrets.ts'
import type { Store } from '../../ports/store.ts'
import type { AgentRecord, AgentRecords, Member } from '../../ports/agents.ts'

/**
 * What an agent works with. The record is at most a minute old; what comes from the telephony configuration is read when it is asked
 * for, so that a change counts at once.
 */
export type AgentConfiguration = {
  readonly record: AgentRecord
  /** The agent's name at the provider: the record's, else the configured default, else the record's id. Two agents may share one. */
  providerAgentId(): Promise<string>
  campaignName(): Promise<string | null>
  sipDomain(): Promise<string | null>
  wsPort(): Promise<number>
}

export interface AgentConfigurations {
  /** Null for a member without an agent record; `readAt` (epoch ms) says when the platform was asked. Errors: the platform's. */
  ofMember(member: Member, accessToken: string): Promise<{ readonly agent: AgentConfiguration | null; readonly readAt: number }>
  /** The next use asks the platform, on every instance. */
  forget(member: Member): Promise<void>
}

export type AgentConfigurationOptions = {
  readonly agents: AgentRecords
  readonly configuration: Configuration
  readonly store: Store
  readonly withFallback: WithFallback
  readonly box: SecretBox
  readonly notifications: Notifications
  readonly clock: Clock
}

const freshForMs = 60_000
const forgottenTopic = 'agent-configuration.forgotten'

const recordSchema = z.object({
  id: z.string(),
  name: z.string(),
  providerAgentId: z.string().nullable(),
  providerAgentPassword: z.string().nullable(),
  sipExtension: z.string().nullable(),
  sipPassword: z.string().nullable(),
  campaignName: z.string().nullable(),
})
const cachedSchema = z.object({ record: recordSchema.nullable(), readAt: z.number() })
type Cached = z.output<typeof cachedSchema>

/** Agent configurations, cached per member for a minute: sealed in this process, and sealed in the store for the other instances. */
export function createAgentConfigurations(options: AgentConfigurationOptions): AgentConfigurations {
  const { agents, configuration, notifications } = options
  const cache = createCache(options)
  return {
    async ofMember(member, accessToken) {
      const cached = (await cache.read(member)) ?? (await cache.fill(member, () => agents.ofMember(member, accessToken)))
      return { agent: cached.record && agentConfiguration(cached.record, member.workspaceId, configuration), readAt: cached.readAt }
    },
    async forget(member) {
      await cache.forget(member)
      await notifications.publish({ topic: forgottenTopic, workspaceId: member.workspaceId, payload: member.memberId })
    },
  }
}

function agentConfiguration(record: AgentRecord, workspaceId: string, configuration: Configuration): AgentConfiguration {
  const telephony = () => configuration.read(workspaceId, 'telephony')
  return {
    record,
    providerAgentId: async () => record.providerAgentId ?? (await telephony()).defaultAgentId ?? record.id,
    campaignName: async () => (await telephony()).campaignName ?? record.campaignName,
    sipDomain: async () => (await telephony()).sip.domain,
    wsPort: async () => (await telephony()).sip.wsPort,
  }
}

function createCache({ store, withFallback, box, notifications, clock }: AgentConfigurationOptions) {
  const here = new LRUCache<string, string>({ max: 5_000 })
  const keyOf = ({ workspaceId, memberId }: Member): string => `agents:${workspaceId}:configuration:${memberId}`
  // What was asked for before something was forgotten is not kept.
  let forgettings = 0
  const drop = (key: string): void => {
    forgettings += 1
    here.delete(key)
  }
  notifications.subscribe(forgottenTopic, ({ workspaceId, payload }) => drop(keyOf({ workspaceId, memberId: payload })))
  notifications.onGap(() => here.clear())

  const keep = (key: string, cached: Cached): void => {
    const sealed = box.seal(JSON.stringify(cached), key)
    here.set(key, sealed)
    void withFallback(() => store.set(key, sealed, { ttlMs: freshForMs }), undefined)
  }

  return {
    async read(member: Member): Promise<Cached | null> {
      const key = keyOf(member)
      const sealed = here.get(key) ?? (await withFallback(() => store.get(key), null))
      const cached = sealed === null ? null : open(box, key, sealed)
      if (sealed === null || cached === null || clock.now() - cached.readAt >= freshForMs) return null
      here.set(key, sealed)
      return cached
    },
    async fill(member: Member, ask: () => Promise<AgentRecord | null>): Promise<Cached> {
      const before = forgettings
      const cached = { record: await ask(), readAt: clock.now() }
      if (forgettings === before) keep(keyOf(member), cached)
      return cached
    },
    async forget(member: Member): Promise<void> {
      drop(keyOf(member))
      await withFallback(() => store.delete(keyOf(member)), false)
    },
  }
}

/** Null for what was sealed under another key or in another form: it is read anew. */
function open(box: SecretBox, key: string, sealed: string): Cached | null {
  try {
    return cachedSchema.parse(JSON.parse(box.open(sealed, key)))
  } catch {
    return null
  }
}
