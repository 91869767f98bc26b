import type { SecretBox } from '../../kernel/secrets.ts'
import { type Configuration, sectionNames } from '../../ports/configuration/configuration.ts'
import type { Ports } from '../../ports/ports.ts'
import { assertSecretsCanBeFound } from './assert-secrets-found.ts'
import { createCachedConfiguration } from './cached-configuration.ts'
import { nameOf, type Target } from './section-codec.ts'
import type { SectionSchemas } from './section-schemas.ts'
import { createSectionStore, type SectionStore } from './section-store.ts'
import { createSeeds, type WorkspaceSeeds } from './seeds.ts'

/** The configuration of all workspaces: features read it, managers change its sections. */
export type LiveConfiguration = Disposable & { readonly configuration: Configuration; readonly sections: SectionStore }

type Parts = Pick<Ports, 'documents' | 'figures' | 'notifications' | 'clock' | 'workspaces' | 'log'> & {
  /** Seals the secrets at rest. */
  readonly box: SecretBox
  readonly schemas: SectionSchemas
  readonly workspaceSeeds: readonly WorkspaceSeeds[]
}

/** The topic of notifications about a changed section; the payload is `<workspace id>/<section>`. */
export const configurationChanged = 'configuration.changed'

/**
 * Connects the store, the cache in front of it and the notifications of changes. A change made here counts at once; on other instances when
 * they receive the notification. An edit by hand counts when the store reports it. Throws if the environment's values do not fit a section.
 */
export function createConfiguration(parts: Parts): LiveConfiguration {
  const { documents, notifications, schemas } = parts
  assertSecretsCanBeFound(schemas)
  assertSeedsFit(parts)
  const onChange = async ({ workspaceId, section }: Target): Promise<void> => {
    configuration.invalidate({ workspaceId, section })
    await notifications.publish({ topic: configurationChanged, workspaceId, payload: nameOf({ workspaceId, section }) })
  }
  const sections = createSectionStore({ ...parts, seeds: createSeeds(parts), onChange })
  const configuration = createCachedConfiguration({ ...parts, sections })
  const invalidate = (name: string): void => {
    const target = targetOf(name)
    if (target) configuration.invalidate(target)
  }
  const subscriptions = [
    notifications.subscribe(configurationChanged, ({ payload }) => invalidate(payload)),
    notifications.onGap(() => configuration.invalidateAll()),
    documents.watch((name) => (name === null ? configuration.invalidateAll() : invalidate(name))),
  ]
  return {
    configuration,
    sections,
    [Symbol.dispose]() {
      for (const subscription of subscriptions) subscription[Symbol.dispose]()
    },
  }
}

function assertSeedsFit({ workspaceSeeds, schemas }: Pick<Parts, 'workspaceSeeds' | 'schemas'>): void {
  for (const { workspace, sections } of workspaceSeeds) {
    for (const section of sectionNames) {
      const parsed = schemas[section].safeParse(sections[section] ?? {})
      if (parsed.success) continue
      const errors = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')
      throw new Error(`The environment's values do not fit the ${section} configuration of ${workspace}: ${errors}`)
    }
  }
}

function targetOf(name: string): Target | null {
  const [workspaceId, text] = name.split('/')
  const section = sectionNames.find((one) => one === text)
  return workspaceId !== undefined && section ? { workspaceId, section } : null
}
