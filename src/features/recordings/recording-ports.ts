import type { SingleFlight } from '../../kernel/single-flight.ts'
import type { PlatformCall } from '../../ports/call-records.ts'
import type { Ports } from '../../ports/ports.ts'
import type { RecordingSource } from '../../ports/recording-source.ts'
import type { Speech } from '../../ports/speech.ts'
import type { AuthPorts } from '../auth/auth-ports.ts'
import type { Runs } from './runs.ts'
import type { MemberSearches } from './search/member-searches.ts'
import type { AnalysisReads } from './stored-analyses.ts'

type Outside = Pick<
  Ports,
  | 'agentDirectory'
  | 'audit'
  | 'bus'
  | 'callRecords'
  | 'clock'
  | 'configuration'
  | 'doctorDirectory'
  | 'figures'
  | 'languageModelOf'
  | 'log'
  | 'notifications'
  | 'outboundTelephonyOf'
  | 'store'
  | 'telephonyOf'
  | 'transcriptIndex'
>

/** What the use cases of recordings need. */
export type RecordingPorts = Outside &
  AnalysisReads &
  Pick<AuthPorts, 'agentRecordCache' | 'principals'> & {
    readonly recordingSource: RecordingSource
    /** Throws NOT_CONFIGURED if no speech provider has a key. */
    readonly speech: () => Speech
    /** Concurrent requests for one call share one lookup per token. */
    readonly callLookups: SingleFlight<PlatformCall | null>
    readonly runs: Runs
    readonly searches: MemberSearches
  }
