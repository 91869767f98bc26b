import type { Declared } from '../../ports/stored/declaration.ts'
import { goodAddresses } from './credential-gate.ts'
import { renewalLease, renewalOutcomes, sentRenewals } from './renewal-store.ts'

/** What this feature stores. */
export const authStoredValues: readonly { readonly declaration: Declared }[] = [goodAddresses, renewalLease, renewalOutcomes, sentRenewals]
