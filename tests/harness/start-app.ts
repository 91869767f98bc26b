import { type App, createApp } from '../../src/app.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { Role } from '../../src/settings/command-line.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { patientSettings } from './patient-settings.ts'
import { startInSharedThread } from './shared-schema-thread.ts'

type Environment = Readonly<Record<string, string>>
type StartOptions = Parameters<typeof createApp>[1] & {
  /** Settings of further workspaces. */
  readonly workspaces?: readonly Environment[]
  readonly role?: Role
}

/** The service in this process, as every test starts it: patient, without a log, its schemas made in the thread that all apps of the process share. */
export function startApp(environment: Environment, { workspaces = [], role = 'all', ...overrides }: StartOptions = {}): Promise<App> {
  const settings = readSettings({ ...patientSettings, ...environment }, workspaces, role)
  return createApp(settings, { log: createLog('silent'), startSchemaThread: startInSharedThread, ...overrides })
}
