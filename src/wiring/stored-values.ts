import { alertStoredValues } from '../features/alerts/stored-values.ts'
import { authStoredValues } from '../features/auth/stored-values.ts'
import { callStoredValues } from '../features/calls/stored-values.ts'
import { configurationStoredValues } from '../features/configuration/stored-values.ts'
import { doctorStoredValues } from '../features/doctors/stored-values.ts'
import { historyStoredValues } from '../features/history/stored-values.ts'
import { insightStoredValues } from '../features/insights/stored-values.ts'
import { recordingStoredValues } from '../features/recordings/stored-values.ts'
import { sessionStoredValues } from '../features/sessions/stored-values.ts'
import { setupStoredValues } from '../features/setup/stored-values.ts'
import { supervisionStoredValues } from '../features/supervision/stored-values.ts'
import { teamStoredValues } from '../features/team/stored-values.ts'
import { widgetStoredValues } from '../features/widget/stored-values.ts'
import { dueIndex, failingItems } from '../ports/due/due-list.ts'
import { dueLease } from '../ports/due/due-work.ts'
import { type Declared, lifetimeIn } from '../ports/stored/declaration.ts'
import { providerStoredValues } from '../providers/stored-values.ts'
import { testWrites } from '../server/operations/health-checks.ts'

/** Every kind of value that the store may have. */
export const storedValues: readonly Declared[] = [
  ...alertStoredValues,
  ...authStoredValues,
  ...callStoredValues,
  ...configurationStoredValues,
  ...doctorStoredValues,
  ...historyStoredValues,
  ...insightStoredValues,
  ...providerStoredValues,
  ...recordingStoredValues,
  ...sessionStoredValues,
  ...setupStoredValues,
  ...supervisionStoredValues,
  ...teamStoredValues,
  ...widgetStoredValues,
  dueIndex,
  dueLease,
  failingItems,
  testWrites,
].map(({ declaration }) => declaration)

const lifetimes = new Map(storedValues.map(({ name, lifetime }) => [name, lifetime]))

/** What the store asks before each write: it refuses a key that nobody declared. */
export const retentionOf = (key: string): number | null => lifetimeIn(lifetimes, key)
