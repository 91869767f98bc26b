import type { Configuration } from '../../ports/configuration/configuration.ts'
import { AppError } from '../../kernel/errors.ts'
import type { RoleNames } from '../../access/application-role.ts'

/**
 * The names of the two platform roles as the workspace's configuration has them; those of the settings where it cannot be read because
 * the store is away, so that people can still sign in.
 */
export function createRoleNames(configuration: Configuration, ofSettings: RoleNames): (workspaceId: string) => Promise<RoleNames> {
  return async (workspaceId) => {
    try {
      return (await configuration.read(workspaceId, 'platform')).roles
    } catch (error) {
      if (error instanceof AppError && error.reason === 'STORE_UNAVAILABLE') return ofSettings
      throw error
    }
  }
}
