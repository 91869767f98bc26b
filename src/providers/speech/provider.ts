import type { z } from 'zod'
import type { Speech } from '../../ports/speech.ts'

/** A speech provider: its data, and a factory for a client of one account. */
export type SpeechProvider<Settings extends z.ZodObject = z.ZodObject> = {
  readonly id: string
  readonly title: string
  /** From the environment only. */
  readonly settings: Settings
  readonly capabilities: ReadonlySet<SpeechCapability>
  /** The provider's limit of concurrent requests per account. */
  readonly maxConcurrent: number
  readonly create: (settings: z.output<Settings>) => Speech & AsyncDisposable
}

export type SpeechCapability = 'DIARIZATION' | 'CHANNELS' | 'SUMMARY' | 'TOPICS' | 'SENTIMENT' | 'FETCHES_ADDRESSES'
