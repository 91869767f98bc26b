import type { Declared } from '../../ports/stored/declaration.ts'
import { alertsByTime, alertStates, storedAlerts } from './alert-store.ts'
import { answeringParties, failingParties } from './failing-upstreams.ts'

/** What this feature stores. */
export const alertStoredValues: readonly { readonly declaration: Declared }[] = [
  alertsByTime,
  alertStates,
  answeringParties,
  failingParties,
  storedAlerts,
]
