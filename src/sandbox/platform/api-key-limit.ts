import type { Clock } from '../clock.ts'
import { badArguments } from './errors.ts'

/**
 * The limit of API keys: so many record operations a minute for all keys of a workspace. The window slides, so never are more let
 * through in any minute: the strictest reading of the platform's "100 tokens per 60000 ms".
 */
export type ApiKeyLimit = {
  maximum: number
  take(workspaceId: string): void
  readonly reset: () => void
}

const platformMaximum = 100
const windowMs = 60_000

export function createApiKeyLimit(clock: Clock): ApiKeyLimit {
  const taken = new Map<string, number[]>()
  const limit: ApiKeyLimit = {
    maximum: platformMaximum,
    take(workspaceId) {
      const now = clock.now()
      const recent = (taken.get(workspaceId) ?? []).filter((at) => at > now - windowMs)
      taken.set(workspaceId, recent)
      if (recent.length < limit.maximum) return void recent.push(now)
      const message = `Limit reached (${limit.maximum} tokens per ${windowMs} ms)`
      throw badArguments('LIMIT_REACHED', message, 'Rate limit reached. Please try again later.')
    },
    reset() {
      taken.clear()
      limit.maximum = platformMaximum
    },
  }
  return limit
}
