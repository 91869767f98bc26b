import type { Actor } from '../../access/actor.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { Documents } from './documents.ts'
import type { ChangeAction, Editor } from './stored-document.ts'

/** One version of a section: who made it, when, how and which fields (dotted paths); never a value. */
export type ConfigurationRevision = {
  readonly version: number
  readonly changedAt: string
  /** Null: the service itself, or somebody who edited the file. */
  readonly changedBy: Editor | null
  readonly action: ChangeAction
  readonly fields: readonly string[]
}

/** The versions that are kept, at most 50, newest first. Errors: NOT_CONFIGURED (the section cannot be read), STORE_UNAVAILABLE. */
export type ConfigurationHistory = (actor: Actor, section: SectionName) => Promise<readonly ConfigurationRevision[]>

export function createConfigurationHistory({ documents }: { readonly documents: Documents }): ConfigurationHistory {
  return async ({ principal: { workspaceId } }, section) => {
    const { history } = await documents.load({ workspaceId, section })
    return history.map(({ version, changedAt, changedBy, action, fields }) => ({ version, changedAt, changedBy, action, fields }))
  }
}
