import type { Declared } from '../../ports/stored/declaration.ts'
import { daySums, historyProgress, hourRows, hourSums } from './history-store.ts'
import { historyLease } from './keep-history.ts'

/** What this feature stores. */
export const historyStoredValues: readonly { readonly declaration: Declared }[] = [
  daySums,
  historyLease,
  historyProgress,
  hourRows,
  hourSums,
]
