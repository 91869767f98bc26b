import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import { createStoredJson } from './stored-json.ts'

const popSchema = z.object({ phoneNumber: z.string().nullable(), ucid: z.string().nullable() })
/** What a member's screen showed last. */
export type Pop = z.output<typeof popSchema>

/** Each member's last screen pop, for a day: it is shown again after a reload. Errors of both methods: STORE_UNAVAILABLE. */
export interface RecentScreenPops {
  note(workspaceId: string, memberId: string, pop: Pop): Promise<void>
  read(workspaceId: string, memberId: string): Promise<Pop | null>
}

const keptMs = 86_400_000

export function createRecentScreenPops(store: Store): RecentScreenPops {
  const screenPops = createStoredJson(store, { schema: popSchema, ttlMs: keptMs })
  const keyOf = (workspaceId: string, memberId: string): string => `last-pop:${workspaceId}:${memberId}`
  return {
    note: (workspaceId, memberId, pop) => screenPops.write(keyOf(workspaceId, memberId), pop),
    read: (workspaceId, memberId) => screenPops.read(keyOf(workspaceId, memberId)),
  }
}
