import { LRUCache } from 'lru-cache'
import { atMost } from '../../kernel/at-most.ts'
import { z } from 'zod'
import type { SecretBox } from '../../kernel/secrets.ts'
import type { Member } from '../../ports/agents.ts'
import { countUse } from '../../ports/figures.ts'
import { agentRecord } from '../../ports/records/agent.ts'
import type { Ports } from '../../ports/ports.ts'
import { Family } from '../../ports/stored/family.ts'

const cachedSchema = z.object({
  /** Null if the member has no agent record. */
  record: agentRecord.schema.nullable(),
  /** When the platform was asked, epoch milliseconds. */
  readAt: z.number(),
})
export type CachedAgentRecord = Readonly<z.output<typeof cachedSchema>>

/** Agent records per member, at most a minute old: sealed in this process, and sealed in the store for the other instances. */
export interface AgentRecordCache {
  /** `confirmed`: it is cached only if this resolves, because the member is not proved yet. Errors: the platform's. */
  ofMember(member: Member, accessToken: string, options?: { readonly confirmed?: Promise<unknown> }): Promise<CachedAgentRecord>
  /** The next use asks the platform, on every instance. */
  forget(member: Member): Promise<void>
}

export type AgentRecordCachePorts = Pick<Ports, 'agentRecords' | 'store' | 'withFallback' | 'notifications' | 'clock' | 'figures'> & {
  readonly sessionBox: SecretBox
}

const freshForMs = 60_000
/** Sealed here, because this process has the same text. */
export const sealedAgentRecords = new Family({
  name: 'agents:*:record',
  key: ({ workspaceId, memberId }: Member) => [workspaceId, memberId],
  schema: z.string(),
  form: 'TEXT',
  lifetime: freshForMs,
  about: 'agent',
  what: 'the agent record of a member, sealed',
})
const forgottenTopic = 'agent-record.forgotten'

export function createAgentRecordCache(ports: AgentRecordCachePorts): AgentRecordCache {
  const { notifications, withFallback } = ports
  const sealedHere = new LRUCache<string, string>(atMost(5_000))
  // A record that was requested before a member was forgotten is not cached.
  let generation = 0
  const drop = (member: Member): void => {
    generation += 1
    sealedHere.delete(sealedAgentRecords.keyText(member))
  }
  notifications.subscribe(forgottenTopic, ({ workspaceId, payload }) => drop({ workspaceId, memberId: payload }))
  notifications.onGap(() => sealedHere.clear())

  return {
    async ofMember(member, accessToken, { confirmed } = {}) {
      const cached = await readCached(ports, sealedHere, member)
      countUse(ports.figures.caches.agent_records, cached !== null)
      if (cached) return cached
      const before = generation
      const fetched = { record: await ports.agentRecords.ofMember(member, accessToken), readAt: ports.clock.now() }
      const cache = (): void => {
        if (generation === before) writeCached(ports, sealedHere, { member, fetched })
      }
      if (confirmed) confirmed.then(cache, () => {})
      else cache()
      return fetched
    },
    async forget(member) {
      drop(member)
      await withFallback(() => sealedAgentRecords.delete(ports, member), false)
      await notifications.publish({ topic: forgottenTopic, workspaceId: member.workspaceId, payload: member.memberId })
    },
  }
}

async function readCached(
  ports: AgentRecordCachePorts,
  sealedHere: LRUCache<string, string>,
  member: Member,
): Promise<CachedAgentRecord | null> {
  const key = sealedAgentRecords.keyText(member)
  const sealed = sealedHere.get(key) ?? (await ports.withFallback(() => sealedAgentRecords.read(ports, member), null))
  if (sealed === null) return null
  const cached = openCached(ports.sessionBox, key, sealed)
  if (cached === null) return null
  const ageMs = ports.clock.now() - cached.readAt
  // Negative if a clock was set back since.
  if (ageMs < 0 || ageMs >= freshForMs) return null
  sealedHere.set(key, sealed)
  return cached
}

function writeCached(
  ports: AgentRecordCachePorts,
  sealedHere: LRUCache<string, string>,
  { member, fetched }: { member: Member; fetched: CachedAgentRecord },
): void {
  const key = sealedAgentRecords.keyText(member)
  const sealed = ports.sessionBox.seal(JSON.stringify(fetched), key)
  sealedHere.set(key, sealed)
  void ports.withFallback(() => sealedAgentRecords.write(ports, member, { value: sealed }), undefined)
}

/** Null if the value was sealed with another key or has another form: then the record is read from the platform. */
function openCached(box: SecretBox, key: string, sealed: string): CachedAgentRecord | null {
  try {
    return cachedSchema.parse(JSON.parse(box.open(sealed, key)))
  } catch {
    return null
  }
}
