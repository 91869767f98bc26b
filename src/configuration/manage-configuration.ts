import type { Audit } from '../kernel/audit.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Store } from '../kernel/store.ts'
import { type AcceptanceOptions, createAcceptance } from './acceptance.ts'
import { createChangeConfiguration } from './change-configuration.ts'
import { createConfigurationHistory } from './configuration-history.ts'
import { createConfigurationView } from './configuration-view.ts'
import type { LiveConfiguration } from './create-configuration.ts'
import { createFingerprint } from './fingerprint.ts'
import { createResetConfiguration } from './reset-configuration.ts'
import type { ConfigurationUseCases } from './resolvers.ts'
import { createRestoreConfiguration } from './restore-configuration.ts'
import { createSaveConfiguration } from './save-configuration.ts'
import { createSectionForm } from './section-form.ts'
import { type TrialRecords, createTrialRecords } from './trial-records.ts'
import type { Trials } from './trial.ts'
import { createTryConfiguration } from './try-configuration.ts'
import { createViewConfiguration } from './view-configuration.ts'

export type ManagementOptions = AcceptanceOptions & {
  readonly live: LiveConfiguration
  readonly trials: Trials
  readonly audit: Audit
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** 32 bytes for fingerprints of secrets. */
  readonly fingerprintKey: Uint8Array
}

/** Everything that a manager may do with the configuration. */
export type ConfigurationManagement = ConfigurationUseCases & { readonly trialRecords: TrialRecords }

export function manageConfiguration(options: ManagementOptions): ConfigurationManagement {
  const { schemas, audit, store, clock, log, trials } = options
  const { configuration, documents } = options.live
  const fingerprint = createFingerprint(options.fingerprintKey)
  const accept = createAcceptance(options)
  const view = createConfigurationView({ schemas, fingerprint })
  const change = createChangeConfiguration({ documents, view, audit, log })
  const trialRecords = createTrialRecords({ store, fingerprint })
  return {
    configuration,
    trialRecords,
    viewConfiguration: createViewConfiguration({ documents, view }),
    sectionForm: createSectionForm(schemas),
    configurationHistory: createConfigurationHistory({ documents }),
    saveConfiguration: createSaveConfiguration({ change, schemas, accept }),
    resetConfiguration: createResetConfiguration({ change, documents }),
    restoreConfiguration: createRestoreConfiguration({ change, documents }),
    tryConfiguration: createTryConfiguration({ documents, schemas, accept, trials, records: trialRecords, clock }),
  }
}
