import { type ClinicDay, clinicDayAt } from '../../../kernel/clinic-day.ts'
import type { Ports } from '../../../ports/ports.ts'
import { Counter } from '../../../ports/stored/counter.ts'

/** Seconds of recordings, and tokens of the language model. */
export type Use = { readonly seconds: number; readonly tokens: number }
export const noUse: Use = { seconds: 0, tokens: 0 }
export type DailyBudget = { readonly limit: Use; readonly used: Use; readonly day: ClinicDay }
/** Call it with what was really used: the rest goes back to the day of the reservation. Only the first call counts. */
export type SettleUse = (used: Use) => Promise<void>

type BudgetPorts = Pick<Ports, 'configuration' | 'store' | 'clock'>

type WorkspaceDay = { readonly workspaceId: string; readonly day: ClinicDay }
type UseKey = WorkspaceDay & { readonly unit: keyof Use }

export const usedByRecordings = new Counter({
  name: 'recordings-used',
  key: ({ workspaceId, day, unit }: UseKey) => [workspaceId, day.date, unit],
  lifetime: 2 * 86_400_000,
  about: 'nothing',
  what: 'seconds and tokens used in a day',
})

/** What analyses without a click may use on the clinic's day, and have used. Errors: STORE_UNAVAILABLE, NOT_CONFIGURED. */
export async function readDailyBudget(ports: BudgetPorts, workspaceId: string): Promise<DailyBudget> {
  const [{ recordings }, { visits }] = await Promise.all([
    ports.configuration.read(workspaceId, 'ai'),
    ports.configuration.read(workspaceId, 'platform'),
  ])
  const { dailyMinutes, dailyTokens } = recordings.automatic
  const day = clinicDayAt(ports.clock.now(), visits.timeZone)
  const [seconds = 0, tokens = 0] = await usedByRecordings.readMany(ports, [
    { workspaceId, day, unit: 'seconds' },
    { workspaceId, day, unit: 'tokens' },
  ])
  const used = { seconds, tokens }
  return { limit: { seconds: dailyMinutes * 60, tokens: dailyTokens }, used, day }
}

/** Why this use does not fit into what is left of the day's budget, as a text for people; null if it fits. */
export function budgetProblem({ limit, used }: DailyBudget, need: Use): string | null {
  const minutes = Math.ceil(need.seconds / 60)
  if (used.seconds + need.seconds > limit.seconds) {
    return `The daily budget of ${Math.floor(limit.seconds / 60)} minutes has less than ${minutes} left`
  }
  if (used.tokens + need.tokens > limit.tokens) return `The daily budget of ${limit.tokens} tokens has less than about ${need.tokens} left`
  return null
}

/**
 * Reserves from the day's budget, counted over all instances; concurrent reservations never exceed it. Null if not so much is left.
 * Errors: STORE_UNAVAILABLE, NOT_CONFIGURED.
 */
export async function reserveUse(ports: BudgetPorts, workspaceId: string, need: Use): Promise<SettleUse | null> {
  const { limit, day } = await readDailyBudget(ports, workspaceId)
  const used = await addUse(ports, { workspaceId, day }, need)
  const isWithin = used.seconds <= limit.seconds && used.tokens <= limit.tokens
  let isSettled = false
  const settle: SettleUse = async ({ seconds, tokens }) => {
    if (isSettled) return
    isSettled = true
    await addUse(ports, { workspaceId, day }, { seconds: seconds - need.seconds, tokens: tokens - need.tokens })
  }
  if (isWithin) return settle
  await settle(noUse)
  return null
}

async function addUse(ports: Pick<Ports, 'store'>, of: WorkspaceDay, more: Use): Promise<Use> {
  const [seconds, tokens] = await Promise.all([
    usedByRecordings.add(ports, { ...of, unit: 'seconds' }, Math.ceil(more.seconds)),
    usedByRecordings.add(ports, { ...of, unit: 'tokens' }, Math.ceil(more.tokens)),
  ])
  return { seconds, tokens }
}
