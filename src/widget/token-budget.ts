import type { Clock } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import type { Store } from '../kernel/store.ts'

/** What visitors may use up of the language model in a day (UTC), counted per workspace over all instances. Errors: STORE_UNAVAILABLE. */
export interface TokenBudget {
  /**
   * Sets `tokens` aside before the model is asked; TOO_MANY_TRIES with `data.retryAfterSeconds` where the day has not so many left. What
   * many ask at once never comes to more than the budget.
   */
  take(workspaceId: string, tokens: number): Promise<void>
  /** Counts what was used beyond what was set aside; negative gives back. */
  add(workspaceId: string, tokens: number): Promise<void>
}

export type TokenBudgetDeps = {
  /** As the workspace's configuration says now. */
  readonly budgetOf: (workspaceId: string) => Promise<number>
  readonly store: Store
  readonly clock: Clock
}

const dayMs = 86_400_000

export function createTokenBudget({ budgetOf, store, clock }: TokenBudgetDeps): TokenBudget {
  const count = (workspaceId: string, tokens: number): Promise<number> => {
    const day = Math.floor(clock.now() / dayMs)
    return store.increment(`widget-tokens:${workspaceId}:${day}`, Math.ceil(tokens), { ttlMs: 2 * dayMs })
  }
  return {
    async take(workspaceId, tokens) {
      const budget = await budgetOf(workspaceId)
      if ((await count(workspaceId, tokens)) <= budget) return
      await count(workspaceId, -Math.ceil(tokens))
      const retryAfterSeconds = Math.ceil((dayMs - (clock.now() % dayMs)) / 1_000)
      throw new AppError('TOO_MANY_TRIES', { detail: 'The assistant has answered all that it may today', data: { retryAfterSeconds } })
    },
    add: async (workspaceId, tokens) => void (await count(workspaceId, tokens)),
  }
}
