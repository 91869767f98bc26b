import type { Row } from './row.ts'
import { alertRows } from './rows/alerts.ts'
import { authRows } from './rows/auth.ts'
import { callRows } from './rows/calls.ts'
import { configurationRows } from './rows/configuration.ts'
import { doctorRows } from './rows/doctors.ts'
import { historyRows } from './rows/history.ts'
import { recordingRows } from './rows/recordings.ts'
import { scorecardRows } from './rows/scorecards.ts'
import { eventRows } from './rows/events.ts'
import { sessionRows } from './rows/sessions.ts'
import { setupRows } from './rows/setup.ts'
import { supervisionRows } from './rows/supervision.ts'
import { teamRows } from './rows/team.ts'
import { widgetRows } from './rows/widget.ts'

/** Every REST operation, in the order in which the description shows them. */
export const restTable: readonly Row[] = [
  ...authRows,
  ...sessionRows,
  ...eventRows,
  ...callRows,
  ...recordingRows,
  ...scorecardRows,
  ...doctorRows,
  ...configurationRows,
  ...widgetRows,
  ...setupRows,
  ...teamRows,
  ...supervisionRows,
  ...alertRows,
  ...historyRows,
]
