import type { Declared } from '../../ports/stored/declaration.ts'
import { testResults } from './connection-test-results.ts'

/** What this feature stores. */
export const configurationStoredValues: readonly { readonly declaration: Declared }[] = [testResults]
