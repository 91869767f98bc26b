import { createSingleFlight } from '../../kernel/single-flight.ts'
import type { RecordingPorts } from './recording-ports.ts'
import { createRuns } from './runs.ts'

type OwnState = Pick<RecordingPorts, 'callLookups' | 'analysisReads' | 'runs'>

/** The ports with this process's state. Disposing ends its runs; another instance continues them. */
export function createRecordings(ports: Omit<RecordingPorts, keyof OwnState>): RecordingPorts & AsyncDisposable {
  const analysisReads: RecordingPorts['analysisReads'] = createSingleFlight()
  const runs = createRuns({ ...ports, analysisReads })
  return { ...ports, analysisReads, callLookups: createSingleFlight(), runs, [Symbol.asyncDispose]: () => runs[Symbol.asyncDispose]() }
}
