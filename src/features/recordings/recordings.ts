import { createSingleFlight } from '../../kernel/single-flight.ts'
import { type AutomaticAnalysis, createAutomaticAnalysis } from './automatic/automatic-analysis.ts'
import type { RecordingPorts } from './recording-ports.ts'
import { createRuns } from './runs.ts'
import { createMemberSearches } from './search/member-searches.ts'

type OwnState = Pick<RecordingPorts, 'callLookups' | 'analysisReads' | 'runs' | 'searches'>

/** The ports with this process's state. Disposing ends its runs, which another instance continues, and then calls `close`. */
export function createRecordings({
  close,
  ...outside
}: Omit<RecordingPorts, keyof OwnState> & { readonly close: () => PromiseLike<void> }): RecordingPorts &
  Pick<AutomaticAnalysis, 'begin'> &
  AsyncDisposable {
  const analysisReads: RecordingPorts['analysisReads'] = createSingleFlight()
  const runs = createRuns({ ...outside, analysisReads })
  const ports: RecordingPorts = { ...outside, analysisReads, callLookups: createSingleFlight(), runs, searches: createMemberSearches() }
  const automatic = createAutomaticAnalysis(ports)
  return {
    ...ports,
    begin: () => automatic.begin(),
    async [Symbol.asyncDispose]() {
      // At the same time: the automatic analyses learn that the service stops, and end when their runs do.
      await Promise.all([automatic[Symbol.asyncDispose](), runs[Symbol.asyncDispose]()])
      await close()
    },
  }
}
