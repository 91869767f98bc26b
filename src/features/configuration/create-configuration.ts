import type { Clock } from '../../kernel/clock.ts'
import type { DocumentStore } from '../../ports/documents.ts'
import type { Notifications } from '../../ports/notifications.ts'
import type { SecretBox } from '../../kernel/secrets.ts'
import { assertSecretsCanBeFound } from './assert-sections.ts'
import { createCachedConfiguration } from './cached-configuration.ts'
import { type Configuration, sectionNames } from '../../ports/configuration/configuration.ts'
import { type Target, createDocumentCodec, nameOf } from './document-codec.ts'
import { type Documents, createDocuments } from './documents.ts'
import type { SectionSchemas } from './section-schemas.ts'
import { type SeedingOptions, createSeeding } from './seeding.ts'

export type ConfigurationOptions = {
  readonly store: DocumentStore
  readonly notifications: Notifications
  readonly clock: Clock
  /** Seals the secrets at rest. */
  readonly box: SecretBox
  readonly schemas: SectionSchemas
  readonly seeding: SeedingOptions
}

/** The configuration of all workspaces: read by consumers, changed by managers. */
export type LiveConfiguration = Disposable & { readonly configuration: Configuration; readonly documents: Documents }

const topic = 'configuration.changed'

/**
 * Wires the store, the memory in front of it and the news of changes: a change here counts at once, on other instances as soon as they
 * hear of it, and one made by hand as soon as the store notices it. Throws where the environment's values do not fit a section.
 */
export function createConfiguration({ store, notifications, clock, box, schemas, seeding }: ConfigurationOptions): LiveConfiguration {
  assertSecretsCanBeFound(schemas)
  assertSeedsFit(seeding, schemas)
  const codec = createDocumentCodec({ schemas, box, locate: (name) => store.locate(name) })
  const onChange = async ({ workspaceId, section }: Target): Promise<void> => {
    configuration.invalidate({ workspaceId, section })
    await notifications.publish({ topic, workspaceId, payload: nameOf({ workspaceId, section }) })
  }
  const documents = createDocuments({ store, codec, schemas, seeding: createSeeding(seeding), clock, onChange })
  const configuration = createCachedConfiguration({ documents, clock })
  const heard = (name: string): void => {
    const target = targetOf(name)
    if (target) configuration.invalidate(target)
  }
  const listening = [
    notifications.subscribe(topic, ({ payload }) => heard(payload)),
    notifications.onGap(() => configuration.invalidateAll()),
    store.watch((name) => (name === null ? configuration.invalidateAll() : heard(name))),
  ]
  return {
    configuration,
    documents,
    [Symbol.dispose]() {
      for (const one of listening) one[Symbol.dispose]()
    },
  }
}

function assertSeedsFit({ seeds }: SeedingOptions, schemas: SectionSchemas): void {
  for (const { workspace, sections } of seeds) {
    for (const section of sectionNames) {
      const parsed = schemas[section].safeParse(sections[section] ?? {})
      if (parsed.success) continue
      const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')
      throw new Error(`The environment's values for the ${section} configuration of ${workspace} do not fit: ${faults}`)
    }
  }
}

function targetOf(name: string): Target | null {
  const [workspaceId, text] = name.split('/')
  const section = sectionNames.find((one) => one === text)
  return workspaceId !== undefined && section ? { workspaceId, section } : null
}
