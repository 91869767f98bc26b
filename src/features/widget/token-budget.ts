import { AppError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/ports.ts'

const dayMs = 86_400_000

/**
 * Reserves tokens of the language model from the workspace's daily budget (UTC days, counted over all instances); concurrent visitors never
 * exceed it. Returns a function to call once with the tokens that were used: it returns the rest to the day of the reservation.
 * Errors: TOO_MANY_TRIES (not so many left) with `data.retryAfterSeconds`, STORE_UNAVAILABLE.
 */
export async function reserveTokens(
  { configuration, store, clock }: Pick<Ports, 'configuration' | 'store' | 'clock'>,
  workspaceId: string,
  tokens: number,
): Promise<(used: number) => Promise<void>> {
  const now = clock.now()
  const key = `widget-tokens:${workspaceId}:${Math.floor(now / dayMs)}`
  const count = (more: number): Promise<number> => store.increment(key, Math.ceil(more), { ttlMs: 2 * dayMs })
  const { dailyTokenBudget } = await configuration.read(workspaceId, 'widget')
  const reserved = Math.ceil(tokens)
  if ((await count(reserved)) <= dailyTokenBudget) return async (used) => void (await count(used - reserved))
  await count(-reserved)
  const retryAfterSeconds = Math.ceil((dayMs - (now % dayMs)) / 1_000)
  throw new AppError('TOO_MANY_TRIES', { detail: "The assistant's budget for today is used up", data: { retryAfterSeconds } })
}
