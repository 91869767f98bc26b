import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Store } from '../../ports/store.ts'

/** What visitors may use up of the language model in a day (UTC), counted per workspace over all instances. Errors: STORE_UNAVAILABLE. */
export interface TokenBudget {
  /**
   * Sets `tokens` aside before the model is asked; TOO_MANY_TRIES with `data.retryAfterSeconds` where the day has not so many left. What
   * many ask at once never comes to more than the budget. Answers what is to be told once how many were used in the end: the rest goes back
   * to the day from which it was taken.
   */
  take(workspaceId: string, tokens: number): Promise<(used: number) => Promise<void>>
}

export type TokenBudgetDeps = {
  /** As the workspace's configuration says now. */
  readonly budgetOf: (workspaceId: string) => Promise<number>
  readonly store: Store
  readonly clock: Clock
}

const dayMs = 86_400_000

export function createTokenBudget({ budgetOf, store, clock }: TokenBudgetDeps): TokenBudget {
  return {
    async take(workspaceId, tokens) {
      const now = clock.now()
      const key = `widget-tokens:${workspaceId}:${Math.floor(now / dayMs)}`
      const count = (more: number): Promise<number> => store.increment(key, Math.ceil(more), { ttlMs: 2 * dayMs })
      const budget = await budgetOf(workspaceId)
      const setAside = Math.ceil(tokens)
      if ((await count(setAside)) <= budget) return async (used) => void (await count(used - setAside))
      await count(-setAside)
      const retryAfterSeconds = Math.ceil((dayMs - (now % dayMs)) / 1_000)
      throw new AppError('TOO_MANY_TRIES', { detail: 'The assistant has answered all that it may today', data: { retryAfterSeconds } })
    },
  }
}
