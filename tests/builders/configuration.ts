import { createFigures } from '../../src/ports/figures.ts'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { LiveConfiguration } from '../../src/features/configuration/create-configuration.ts'
import { createConfiguration } from '../../src/features/configuration/create-configuration.ts'
import { type SectionOptions, createSectionSchemas } from '../../src/features/configuration/section-schemas.ts'
import type { WorkspaceSeeds } from '../../src/features/configuration/seeds.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { DocumentStore } from '../../src/ports/documents.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { Notifications } from '../../src/ports/notifications.ts'
import type { Workspaces } from '../../src/ports/workspaces.ts'
import { createSecretBox } from '../../src/kernel/secrets.ts'
import { createFileDocuments } from '../../src/providers/store/file-documents.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { createTestClock } from '../harness/clock.ts'

/** A telephony provider of the tests' own, with every kind of field that a provider may have. */
const line = {
  id: 'line',
  title: 'A line',
  settings: z.strictObject({
    url: z.url().meta({ destination: true }),
    account: z.string().min(1).meta({ destination: true }),
    key: z.string().min(1).meta({ secret: true }),
    token: z.string().min(1).meta({ secret: true }).nullable().default(null),
    mode: z.enum(['A', 'B']).default('A'),
    tags: z.array(z.string()).default([]),
  }),
}
const other = { id: 'other', title: 'Another line', settings: z.strictObject({ key: z.string().meta({ secret: true }) }) }

export const sectionOptions: SectionOptions = {
  defaultCountry: 'IN',
  telephony: [line, other],
  outbound: [line],
  models: [
    { id: 'open', title: 'Open', maxTemperature: 2 },
    { id: 'narrow', title: 'Narrow', maxTemperature: 1 },
  ],
}

export const sectionSchemas = createSectionSchemas(sectionOptions)

export const noWorkspaces: Workspaces = { idOf: async () => null, ownerOfApiKey: async () => null }

export type InstanceOptions = {
  readonly dataDir: string
  readonly key?: Uint8Array
  readonly notifications?: Notifications
  readonly clock?: Clock
  readonly store?: DocumentStore
  readonly workspaceSeeds?: readonly WorkspaceSeeds[]
  readonly workspaces?: Workspaces
}

/** The configuration as one instance of the service has it, on real files. */
export async function openConfiguration(options: InstanceOptions): Promise<LiveConfiguration & AsyncDisposable> {
  const log = createLog('silent')
  const store = options.store ?? (await createFileDocuments({ dataDir: options.dataDir, log }))
  const live = createConfiguration({
    documents: store,
    figures: createFigures(),
    notifications: options.notifications ?? createInProcessNotifications({ log }),
    clock: options.clock ?? createTestClock(),
    box: createSecretBox(options.key ?? randomBytes(32)),
    schemas: sectionSchemas,
    log,
    workspaceSeeds: options.workspaceSeeds ?? [],
    workspaces: options.workspaces ?? noWorkspaces,
  })
  return {
    ...live,
    async [Symbol.asyncDispose]() {
      live[Symbol.dispose]()
      await store.close()
    },
  }
}
