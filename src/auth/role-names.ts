import { LRUCache } from 'lru-cache'
import type { Configuration } from '../configuration/configuration.ts'
import { AppError } from '../kernel/errors.ts'
import type { RoleNames } from './application-role.ts'

/**
 * The names of the two platform roles as the workspace's configuration has them. While the store is away the last known ones count, so
 * that people can still sign in; where none are known yet, those of the settings.
 */
export function createRoleNames(configuration: Configuration, ofSettings: RoleNames): (workspaceId: string) => Promise<RoleNames> {
  const last = new LRUCache<string, RoleNames>({ max: 1_000 })
  return async (workspaceId) => {
    try {
      const { roles } = await configuration.read(workspaceId, 'platform')
      last.set(workspaceId, roles)
      return roles
    } catch (error) {
      if (error instanceof AppError && error.reason === 'STORE_UNAVAILABLE') return last.get(workspaceId) ?? ofSettings
      throw error
    }
  }
}
