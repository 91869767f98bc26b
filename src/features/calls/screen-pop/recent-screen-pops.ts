import { z } from 'zod'
import type { Member } from '../../../ports/agents.ts'
import type { Ports } from '../../../ports/ports.ts'
import { Family } from '../../../ports/stored/family.ts'

const screenPopSchema = z.object({ phoneNumber: z.string().nullable(), ucid: z.string().nullable() })
/** What a member's screen showed last. */
export type ScreenPop = z.output<typeof screenPopSchema>

export const screenPops = new Family({
  name: 'screen-pop',
  key: ({ workspaceId, memberId }: Member) => [workspaceId, memberId],
  schema: screenPopSchema,
  lifetime: 86_400_000,
  about: 'person',
  what: "a member's recent screen pop: number, lead",
})

/** Stores the member's last screen pop for a day: it is shown again after a reload. Errors: STORE_UNAVAILABLE. */
export async function writeScreenPop(ports: Pick<Ports, 'store'>, member: Member, screenPop: ScreenPop): Promise<void> {
  await screenPops.write(ports, member, { value: screenPop })
}

/** Null if the member had no screen pop in the last day. Errors: STORE_UNAVAILABLE. */
export async function readScreenPop(ports: Pick<Ports, 'store'>, member: Member): Promise<ScreenPop | null> {
  return screenPops.read(ports, member)
}
