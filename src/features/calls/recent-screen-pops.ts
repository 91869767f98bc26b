import { z } from 'zod'
import type { Member } from '../../ports/agents.ts'
import type { Ports } from '../../ports/ports.ts'
import { readJson, writeJson } from './stored-json.ts'

const screenPopSchema = z.object({ phoneNumber: z.string().nullable(), ucid: z.string().nullable() })
/** What a member's screen showed last. */
export type ScreenPop = z.output<typeof screenPopSchema>

const ttlMs = 86_400_000

/** Stores the member's last screen pop for a day: it is shown again after a reload. Errors: STORE_UNAVAILABLE. */
export async function writeScreenPop({ store }: Pick<Ports, 'store'>, member: Member, screenPop: ScreenPop): Promise<void> {
  await writeJson(store, keyOf(member), { value: screenPop, ttlMs })
}

/** Null if the member had no screen pop in the last day. Errors: STORE_UNAVAILABLE. */
export async function readScreenPop({ store }: Pick<Ports, 'store'>, member: Member): Promise<ScreenPop | null> {
  return readJson(store, keyOf(member), screenPopSchema)
}

const keyOf = ({ workspaceId, memberId }: Member): string => `screen-pop:${workspaceId}:${memberId}`
