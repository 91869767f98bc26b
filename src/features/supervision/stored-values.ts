import type { Declared } from '../../ports/stored/declaration.ts'
import { rebuiltDays, storedSince } from './day-completeness.ts'
import { rebuildingLease, rebuildPositions } from './rebuild-day.ts'

/** What this feature stores. */
export const supervisionStoredValues: readonly { readonly declaration: Declared }[] = [
  rebuildingLease,
  rebuildPositions,
  rebuiltDays,
  storedSince,
]
