import { z } from 'zod'
import type { Ports } from '../../../ports/ports.ts'
import { Family } from '../../../ports/stored/family.ts'
import type { EntryKey } from './entry-store.ts'

const reachedSchema = z.object({ ucid: z.string(), at: z.string(), isOutbound: z.boolean(), agentId: z.string().nullable() })
/** The last call that reached a person. `at`: when it was answered, ISO 8601. `agentId`: the agent's record. */
export type LastReached = z.output<typeof reachedSchema>

export const lastReached = new Family({
  name: 'last-reached',
  key: ({ workspaceId, id }: EntryKey) => [workspaceId, id],
  schema: reachedSchema,
  // As long as a missed call may be reported late.
  lifetime: 30 * 86_400_000,
  about: 'person',
  what: 'when a person was last reached, under a hash of the number',
})

/** Stored apart from the entry, because a call may be answered before an earlier missed one is reported. Errors: STORE_UNAVAILABLE. */
export async function noteReached(ports: Pick<Ports, 'store'>, key: EntryKey, reached: LastReached): Promise<void> {
  const next = (known: LastReached | null): LastReached => (known && known.at >= reached.at ? known : reached)
  await lastReached.change(ports, key, { next })
}

/** Null if nobody has talked to the person in the last 30 days. Errors: STORE_UNAVAILABLE. */
export async function readReached(ports: Pick<Ports, 'store'>, key: EntryKey): Promise<LastReached | null> {
  return lastReached.read(ports, key)
}
