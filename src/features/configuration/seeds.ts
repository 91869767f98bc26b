import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { Ports } from '../../ports/ports.ts'
import type { DocumentValues } from './document-values.ts'

/** Values of the environment for one workspace, by its subdomain. Fields that are left out get their defaults. */
export type WorkspaceSeeds = {
  readonly workspace: string
  readonly sections: { readonly [Name in SectionName]?: DocumentValues }
}

/** The initial values of the sections, to which a reset returns. */
export type Seeds = {
  /** Throws if the platform cannot be asked which workspace is which. */
  read(workspaceId: string, section: SectionName): Promise<DocumentValues>
}

/**
 * The platform says which workspace a subdomain belongs to, so it does not matter who signs in first. A platform API key seeds only the
 * workspace that it belongs to: otherwise records of one customer would be written to another.
 */
export function createSeeds({
  workspaces,
  log,
  workspaceSeeds,
}: Pick<Ports, 'workspaces' | 'log'> & { readonly workspaceSeeds: readonly WorkspaceSeeds[] }): Seeds {
  return {
    async read(workspaceId, section) {
      const idsOfSeeds = await Promise.all(workspaceSeeds.map(({ workspace }) => workspaces.idOf(workspace)))
      const seed = workspaceSeeds.find((_seed, index) => idsOfSeeds[index] === workspaceId)?.sections[section] ?? {}
      const { apiKey, ...others } = seed
      if (section !== 'platform' || typeof apiKey !== 'string') return seed
      if ((await workspaces.ownerOfApiKey(apiKey)) === workspaceId) return seed
      log.warn({ workspaceId, setting: 'PLATFORM_API_KEY' }, 'configuration.api-key-of-other-workspace')
      return others
    },
  }
}
