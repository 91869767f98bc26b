import type { SectionName } from './configuration.ts'
import type { DocumentValues } from './document-values.ts'

/** What the environment says of each section, as an admin would write it: fields that are left out keep their defaults. */
export type SectionSeeds = { readonly [Name in SectionName]?: DocumentValues }

/** The values with which a section of a workspace begins, and to which a reset brings it back. */
export type Seeding = (workspaceId: string, section: SectionName) => Promise<DocumentValues>

export type SeedingOptions = {
  readonly seeds: SectionSeeds
  /** The id of the one workspace that the environment's values belong to; null: none has them. Asked where something is to be seeded. */
  readonly seedWorkspaceId: () => Promise<string | null>
  /** The id of the workspace that a platform API key belongs to; null where the platform does not take the key. */
  readonly ownerOfApiKey: (apiKey: string) => Promise<string | null>
}

/**
 * Values of the environment belong to one customer, so they seed one workspace alone; the platform's API key only where the key itself
 * belongs to that workspace: else records of one customer would be written into another's.
 */
export function createSeeding({ seeds, seedWorkspaceId, ownerOfApiKey }: SeedingOptions): Seeding {
  return async (workspaceId, section) => {
    const seed = seeds[section]
    if (!seed || (await seedWorkspaceId()) !== workspaceId) return {}
    if (section !== 'platform') return seed
    const { apiKey, ...others } = seed
    const isOwn = typeof apiKey === 'string' && (await ownerOfApiKey(apiKey)) === workspaceId
    return isOwn ? seed : others
  }
}
