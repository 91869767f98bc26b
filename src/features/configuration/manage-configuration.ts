import type { Audit } from '../../ports/audit.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Store } from '../../ports/store.ts'
import { type ValidationOptions, createValidation } from './validation.ts'
import { createChangeConfiguration } from './change-configuration.ts'
import { type ConfigurationHistory, createConfigurationHistory } from './configuration-history.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import { createConfigurationView } from './configuration-view.ts'
import type { LiveConfiguration } from './create-configuration.ts'
import { createFingerprint } from './fingerprint.ts'
import { type ResetConfiguration, createResetConfiguration } from './reset-configuration.ts'
import { type RestoreConfiguration, createRestoreConfiguration } from './restore-configuration.ts'
import { type SaveConfiguration, createSaveConfiguration } from './save-configuration.ts'
import { type SectionForm, createSectionForm } from './section-form.ts'
import { type ConnectionTestResults, createConnectionTestResults } from './connection-test-results.ts'
import type { ConnectionTests } from './connection-test.ts'
import { type TestConfiguration, createTestConfiguration } from './test-configuration.ts'
import { type ViewConfiguration, createViewConfiguration } from './view-configuration.ts'

export type ManagementOptions = ValidationOptions & {
  readonly live: LiveConfiguration
  readonly connectionTests: ConnectionTests
  readonly audit: Audit
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** 32 bytes for fingerprints of secrets. */
  readonly fingerprintKey: Uint8Array
}

export type ConfigurationUseCases = {
  readonly configuration: Configuration
  readonly viewConfiguration: ViewConfiguration
  readonly sectionForm: SectionForm
  readonly configurationHistory: ConfigurationHistory
  readonly saveConfiguration: SaveConfiguration
  readonly resetConfiguration: ResetConfiguration
  readonly restoreConfiguration: RestoreConfiguration
  readonly tryConfiguration: TestConfiguration
}

/** Everything that a manager may do with the configuration. */
export type ConfigurationManagement = ConfigurationUseCases & { readonly connectionTestResults: ConnectionTestResults }

export function manageConfiguration(options: ManagementOptions): ConfigurationManagement {
  const { schemas, audit, store, clock, log, connectionTests } = options
  const { configuration, documents } = options.live
  const fingerprint = createFingerprint(options.fingerprintKey)
  const accept = createValidation(options)
  const view = createConfigurationView({ schemas, fingerprint })
  const change = createChangeConfiguration({ documents, view, audit, log })
  const connectionTestResults = createConnectionTestResults({ store, fingerprint })
  return {
    configuration,
    connectionTestResults,
    viewConfiguration: createViewConfiguration({ documents, view }),
    sectionForm: createSectionForm(schemas),
    configurationHistory: createConfigurationHistory({ documents }),
    saveConfiguration: createSaveConfiguration({ change, schemas, accept }),
    resetConfiguration: createResetConfiguration({ change, documents }),
    restoreConfiguration: createRestoreConfiguration({ change, documents }),
    tryConfiguration: createTestConfiguration({ documents, schemas, accept, connectionTests, records: connectionTestResults, clock }),
  }
}
