import type { Declared } from '../../ports/stored/declaration.ts'
import { usedByRecordings } from './automatic/daily-budget.ts'
import {
  laterRecordings,
  recordingWorkspaces,
  takenRecordings,
  takingLease,
  waitingRecordings,
  waitingStates,
} from './automatic/waiting-recordings.ts'
import { runFailures, runLease } from './run-lease.ts'
import { correctedCalls, scorecardsSetAside, scoredCalls, storedScorecards } from './scorecards/stored-scorecard.ts'
import { storedAnalyses, storedTranscripts } from './stored-analyses.ts'

/** What this feature stores. */
export const recordingStoredValues: readonly { readonly declaration: Declared }[] = [
  correctedCalls,
  laterRecordings,
  recordingWorkspaces,
  runFailures,
  runLease,
  scorecardsSetAside,
  scoredCalls,
  storedAnalyses,
  storedScorecards,
  storedTranscripts,
  takenRecordings,
  takingLease,
  usedByRecordings,
  waitingRecordings,
  waitingStates,
]
