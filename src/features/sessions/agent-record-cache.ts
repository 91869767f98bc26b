import { z } from 'zod'
import { hashOf } from '../../kernel/ids.ts'
import type { SecretBox } from '../../kernel/secrets.ts'
import { WhileAway } from '../../kernel/while-away.ts'
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

/**
 * Agent records per member, at most a minute old, `platformAwayMs` while the platform is away: sealed in this process, and for a minute sealed in
 * the store for the other instances.
 */
export interface AgentRecordCache {
  /** `confirmed`: it is cached only if this resolves, because the member is not proved yet. Errors: the platform's. */
  ofMember(member: Member, accessToken: string, options?: { readonly confirmed?: Promise<unknown> }): Promise<CachedAgentRecord>
  /** The next use asks the platform, on every instance. */
  forget(member: Member): Promise<void>
}

export type AgentRecordCachePorts = Pick<Ports, 'agentRecords' | 'store' | 'withFallback' | 'notifications' | 'clock' | 'figures'> & {
  readonly sessionBox: SecretBox
  readonly platformAwayMs: number
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
  const sealedHere = new WhileAway<string>(ports.clock, { maxEntries: 5_000, validForMs: ports.platformAwayMs })
  // A record that was requested before a member was forgotten is not cached.
  let generation = 0
  const drop = (member: Member): void => {
    generation += 1
    sealedHere.delete(sealedAgentRecords.keyText(member))
  }
  notifications.subscribe(forgottenTopic, ({ workspaceId, payload }) => drop({ workspaceId, memberId: payload }))
  notifications.onGap(() => sealedHere.drop(() => true))

  return {
    async ofMember(member, accessToken, { confirmed } = {}) {
      const cached = await readCached(ports, sealedHere, member)
      countUse(ports.figures.caches.agent_records, cached !== null)
      if (cached) return cached
      const before = generation
      const key = sealedAgentRecords.keyText(member)
      const fetch = async (): Promise<CachedAgentRecord> => ({
        record: await ports.agentRecords.ofMember(member, accessToken),
        readAt: ports.clock.now(),
      })
      const cache = (fetched: CachedAgentRecord): string => {
        const sealed = ports.sessionBox.seal(JSON.stringify(fetched), key)
        if (generation !== before) return sealed
        sealedHere.set(key, sealed, fetched)
        void withFallback(() => sealedAgentRecords.write(ports, member, { value: sealed }), undefined)
        return sealed
      }
      if (confirmed) {
        const fetched = await fetch()
        confirmed.then(() => cache(fetched)).catch(() => {})
        return fetched
      }
      // Another token may not share what the platform refuses to this one.
      const sealed = await sealedHere.lookUp(key, `${before}:${hashOf(accessToken)}`, async () => cache(await fetch()))
      return cachedSchema.parse(JSON.parse(ports.sessionBox.open(sealed, key)))
    },
    async forget(member) {
      drop(member)
      await withFallback(() => sealedAgentRecords.delete(ports, member), false)
      await notifications.publish({ topic: forgottenTopic, workspaceId: member.workspaceId, payload: member.memberId })
    },
  }
}

async function readCached(ports: AgentRecordCachePorts, sealedHere: WhileAway<string>, member: Member): Promise<CachedAgentRecord | null> {
  const key = sealedAgentRecords.keyText(member)
  const isFresh = ({ readAt }: CachedAgentRecord): boolean => {
    const ageMs = ports.clock.now() - readAt
    // Negative if a clock was set back since.
    return ageMs >= 0 && ageMs < freshForMs
  }
  const here = openCached(ports.sessionBox, key, sealedHere.get(key))
  if (here && isFresh(here)) return here
  const sealed = await ports.withFallback(() => sealedAgentRecords.read(ports, member), null)
  const stored = openCached(ports.sessionBox, key, sealed)
  if (sealed === null || !stored || !isFresh(stored)) return null
  sealedHere.set(key, sealed, stored)
  return stored
}

/** Null if the value was sealed with another key or has another form: then the record is read from the platform. */
function openCached(box: SecretBox, key: string, sealed: string | null): CachedAgentRecord | null {
  if (sealed === null) return null
  try {
    return cachedSchema.parse(JSON.parse(box.open(sealed, key)))
  } catch {
    return null
  }
}
