import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import { networkOf } from '../../kernel/network.ts'
import type { Ports } from '../../ports/ports.ts'
import { Counter } from '../../ports/stored/counter.ts'
import type { Visitor } from './booking-shares.ts'

const dayMs = 86_400_000
/** Percent of the budget for one address, so that no program switches the assistant off for everybody; room for a shared address. */
const percentPerAddress = 20
/** Allowed in any case: a small budget must not refuse everybody. */
const leastMessages = 3

/** `day`: days since the epoch. `who`: an address; null for all of the workspace. */
type DayKey = { readonly workspaceId: string; readonly day: number; readonly who: string | null }

export const usedTokens = new Counter({
  name: 'widget-tokens',
  key: ({ workspaceId, day, who }: DayKey) => [workspaceId, String(day), ...(who === null ? [] : [who])],
  lifetime: 2 * dayMs,
  about: 'visitor',
  what: 'tokens that the assistant used in a day, in all and by hashes of addresses',
})

/**
 * Reserves tokens of the language model from the workspace's daily budget (UTC days, counted over all instances), and from the part of it that
 * the visitor's address may use; concurrent visitors never exceed them. Returns a function to call once with the tokens that were used: it
 * returns the rest to the day of the reservation. Errors: TOO_MANY_TRIES (not so many left) with `data.retryAfterSeconds`, STORE_UNAVAILABLE.
 */
export async function reserveTokens(
  ports: Pick<Ports, 'configuration' | 'store' | 'clock'>,
  { workspaceId, clientAddress }: Pick<Visitor, 'workspaceId' | 'clientAddress'>,
  tokens: number,
): Promise<(used: number) => Promise<void>> {
  const now = ports.clock.now()
  const ofAll = { workspaceId, day: Math.floor(now / dayMs), who: null }
  const ofAddress = { ...ofAll, who: `address.${hashOf(networkOf(clientAddress))}` }
  const count = (more: number): Promise<[number, number]> => {
    const by = Math.ceil(more)
    return Promise.all([usedTokens.add(ports, ofAll, by), usedTokens.add(ports, ofAddress, by)])
  }
  const { dailyTokenBudget } = await ports.configuration.read(workspaceId, 'widget')
  const reserved = Math.ceil(tokens)
  const [all, own] = await count(reserved)
  const isOverOwn = own > Math.max((dailyTokenBudget * percentPerAddress) / 100, leastMessages * reserved)
  if (all <= dailyTokenBudget && !isOverOwn) return async (used) => void (await count(used - reserved))
  await count(-reserved)
  const detail =
    all <= dailyTokenBudget
      ? 'Your network has sent the assistant too many messages today: call the hospital'
      : "The assistant's budget for today is used up"
  throw new AppError('TOO_MANY_TRIES', { detail, data: { retryAfterSeconds: Math.ceil((dayMs - (now % dayMs)) / 1_000) } })
}
