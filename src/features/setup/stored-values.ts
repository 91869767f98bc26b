import type { Declared } from '../../ports/stored/declaration.ts'
import { completedSteps, dismissedSetups } from './setup-store.ts'

/** What this feature stores. */
export const setupStoredValues: readonly { readonly declaration: Declared }[] = [completedSteps, dismissedSetups]
