import type { z } from 'zod'
import type { Speech } from '../../ports/speech.ts'

/** A speech provider: data about it, and how to speak to one of its accounts. */
export type SpeechProvider<Settings extends z.ZodObject = z.ZodObject> = {
  readonly id: string
  readonly title: string
  /** From the environment alone. */
  readonly settings: Settings
  readonly capabilities: ReadonlySet<SpeechCapability>
  /** Requests that one account may have under way. */
  readonly mostAtOnce: number
  readonly create: (settings: z.output<Settings>) => Speech & AsyncDisposable
}

export type SpeechCapability = 'DIARIZATION' | 'CHANNELS' | 'SUMMARY' | 'TOPICS' | 'SENTIMENT' | 'FETCHES_ADDRESSES'
