import { makeExecutableSchema } from '@graphql-tools/schema'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { type BoundRow, bindTable } from '../../src/server/rest/bound-row.ts'
import { openApiDocument } from '../../src/server/rest/openapi/document.ts'
import { restTable } from '../../src/server/rest/table.ts'
import { alertScenarios } from './alerts.ts'
import { authScenarios } from './auth.ts'
import { callScenarios } from './calls.ts'
import { configurationScenarios } from './configuration.ts'
import { doctorScenarios } from './doctors.ts'
import { eventScenarios } from './events.ts'
import { historyScenarios } from './history.ts'
import { recordingScenarios } from './recordings.ts'
import type { Scenario, Scenarios } from './scenario.ts'
import { scorecardScenarios } from './scorecards.ts'
import { sessionScenarios } from './sessions.ts'
import { setupScenarios } from './setup.ts'
import { supervisionScenarios } from './supervision.ts'
import { teamScenarios } from './team.ts'
import { widgetScenarios } from './widget.ts'
import { worklistScenarios } from './worklist.ts'

export const scenarios: Scenarios = {
  ...alertScenarios,
  ...authScenarios,
  ...sessionScenarios,
  ...callScenarios,
  ...worklistScenarios,
  ...eventScenarios,
  ...recordingScenarios,
  ...scorecardScenarios,
  ...doctorScenarios,
  ...configurationScenarios,
  ...setupScenarios,
  ...teamScenarios,
  ...supervisionScenarios,
  ...historyScenarios,
  ...widgetScenarios,
}

export const schema = makeExecutableSchema({ typeDefs: readContract() })
export const rows = bindTable(restTable, schema)
export const description = openApiDocument(rows, schema)
export const nameOf = ({ method, path }: Pick<BoundRow, 'method' | 'path'>): string => `${method} ${path}`
const noScenario: Scenario = { sample: {}, results: [], play: async () => [] }
/** Each row of the REST table by its name, with its scenario. */
export const proved = rows.map((row): [string, BoundRow, Scenario] => [nameOf(row), row, scenarios[nameOf(row)] ?? noScenario])
