import { z } from 'zod'
import type { Breakers } from '../../kernel/breakers.ts'
import type { Ports } from '../../ports/ports.ts'

/** Which parties fail, as all instances see it: each notes what its own breakers say. Errors: STORE_UNAVAILABLE. */

const partySchema = z.tuple([z.string(), z.string()])
/** Longer than some runs of the job that notes them. */
const freshMs = 15_000
const everybody = 'all'

export async function noteFailing({
  store,
  clock,
  breakers,
}: Pick<Ports, 'store' | 'clock'> & { readonly breakers: Pick<Breakers, 'failing'> }) {
  for (const { party, who, workspaceId } of breakers.failing()) {
    await store.sortedAdd(listOf(workspaceId ?? everybody), JSON.stringify([party, who]), clock.now())
  }
}

/** The parties of this workspace, and those that all share. */
export async function readFailing({ store, clock }: Pick<Ports, 'store' | 'clock'>, workspaceId: string) {
  const range = { min: clock.now() - freshMs, limit: 100 }
  const lists = await Promise.all([workspaceId, everybody].map((owner) => store.sortedRange(listOf(owner), range)))
  const parties = lists.flat().map(({ member }) => partySchema.parse(JSON.parse(member)))
  return parties.map(([id, name]) => ({ id, name }))
}

const listOf = (owner: string): string => `alerts-failing:${owner}`
