import type { Declared } from '../../ports/stored/declaration.ts'
import { readPermits, sharedViews } from './doctor-directory.ts'

/** What this feature stores. */
export const doctorStoredValues: readonly { readonly declaration: Declared }[] = [readPermits, sharedViews]
