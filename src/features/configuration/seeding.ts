import type { Log } from '../../kernel/log.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { DocumentValues } from './document-values.ts'

/** What the environment says of each section, as an admin would write it: fields that are left out keep their defaults. */
export type SectionSeeds = { readonly [Name in SectionName]?: DocumentValues }

/** Values of the environment belong to one customer: they count for the workspace with this subdomain alone. */
export type WorkspaceSeeds = { readonly workspace: string; readonly sections: SectionSeeds }

/** The values with which a section of a workspace begins, and to which a reset brings it back. Asks the platform. */
export type Seeding = (workspaceId: string, section: SectionName) => Promise<DocumentValues>

export type SeedingOptions = {
  readonly seeds: readonly WorkspaceSeeds[]
  /** The id of the workspace with this subdomain; null where the platform knows none. Throws where it cannot be asked. */
  readonly workspaceIdOf: (subdomain: string) => Promise<string | null>
  /** The id of the workspace that a platform API key belongs to; null where the platform does not take it. Throws where it cannot be asked. */
  readonly ownerOfApiKey: (apiKey: string) => Promise<string | null>
  readonly log: Log
}

/**
 * The platform says which workspace a subdomain stands for, so it does not matter who signs in first, or whether anybody does. A platform
 * API key seeds only the workspace that it belongs to: else records of one customer would be written into another's.
 */
export function createSeeding({ seeds, workspaceIdOf, ownerOfApiKey, log }: SeedingOptions): Seeding {
  const idOf = remembered(workspaceIdOf)

  const seedsOf = async (workspaceId: string): Promise<SectionSeeds> => {
    const ids = await Promise.all(seeds.map(({ workspace }) => idOf(workspace)))
    return seeds.find((_seed, index) => ids[index] === workspaceId)?.sections ?? {}
  }

  return async (workspaceId, section) => {
    const seed = (await seedsOf(workspaceId))[section] ?? {}
    const { apiKey, ...others } = seed
    if (section !== 'platform' || typeof apiKey !== 'string') return seed
    if ((await ownerOfApiKey(apiKey)) === workspaceId) return seed
    log.warn({ workspaceId }, 'the platform API key of the environment does not belong to this workspace and is not used for it')
    return others
  }
}

/** Ids do not change; a subdomain that was not there yet is asked for again. */
function remembered(workspaceIdOf: SeedingOptions['workspaceIdOf']): (subdomain: string) => Promise<string | null> {
  const known = new Map<string, string>()
  return async (subdomain) => {
    const id = known.get(subdomain) ?? (await workspaceIdOf(subdomain))
    if (id !== null) known.set(subdomain, id)
    return id
  }
}
