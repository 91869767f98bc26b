import type { Declared } from '../ports/stored/declaration.ts'
import { platformRequests } from './platform/api-key-limit.ts'
import { bookingLease } from './platform/doctors.ts'
import { speechSlots } from './speech/fair-use.ts'
import { auditLog } from './store/audit.ts'
import { limits } from './store/rate-limiter.ts'
import { reportSlots } from './telephony/ozonetel/report-budget.ts'
import { tokenValues } from './telephony/ozonetel/tokens.ts'

/** What providers store. */
export const providerStoredValues: readonly { readonly declaration: Declared }[] = [
  auditLog,
  bookingLease,
  { declaration: limits },
  ...platformRequests,
  reportSlots,
  speechSlots,
  ...tokenValues,
]
