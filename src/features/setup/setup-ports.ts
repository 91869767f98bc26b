import type { Ports } from '../../ports/ports.ts'

/** What the use cases of the setup need. */
export type SetupPorts = Pick<Ports, 'configuration' | 'installedRoles' | 'dataModel' | 'workspaceFacts' | 'store' | 'audit' | 'clock'> & {
  /** 32 bytes for the digests of tested configuration values. */
  readonly fingerprintKey: Uint8Array
}
