import type { AddressGuard } from '../../kernel/address-guard.ts'
import type { Ports } from '../../ports/ports.ts'
import type { ConnectionTests } from './connection-test.ts'
import type { SectionSchemas } from './section-schemas.ts'
import type { SectionStore } from './section-store.ts'

/** What the use cases of the configuration need. */
export type ConfigurationPorts = Pick<Ports, 'configuration' | 'workspaces' | 'store' | 'audit' | 'clock' | 'log'> & {
  readonly sections: SectionStore
  readonly schemas: SectionSchemas
  readonly addressGuard: Pick<AddressGuard, 'faultOf'>
  readonly connectionTests: ConnectionTests
  /** 32 bytes for the fingerprints of secrets. */
  readonly fingerprintKey: Uint8Array
}
