import { z } from 'zod'

/** An event that a consumer could not work, as it came. Shown to people without its content. */
export const deadLetterSchema = z.object({
  id: z.string(),
  topic: z.string(),
  /** The consumer that gave it up. */
  receiver: z.string(),
  /** Null where the event does not tell. */
  eventId: z.string().nullable(),
  workspaceId: z.string().nullable(),
  key: z.string().nullable(),
  reason: z.string(),
  /** Epoch milliseconds. */
  deadAt: z.number(),
  /** The original's bytes, in base64. */
  value: z.string(),
  headers: z.record(z.string(), z.string()),
})
export type DeadLetter = z.output<typeof deadLetterSchema>

/** The letters that managers see, kept for 30 days. Every method throws STORE_UNAVAILABLE where it cannot work. */
export interface DeadLetterShelf {
  /** Durable when it resolves; a letter whose id stands there already is not kept again. */
  keep(letter: DeadLetter): Promise<void>
  /** Newest first: those of the workspace, and those that tell of none. */
  list(page: DeadLetterPage): Promise<readonly DeadLetter[]>
  read(id: string): Promise<DeadLetter | null>
  /** True for the one that took it away. */
  remove(id: string): Promise<boolean>
}

/** `before`: the last letter of the page before. */
export type DeadLetterPage = {
  readonly workspaceId: string
  readonly limit: number
  readonly before: Pick<DeadLetter, 'id' | 'deadAt'> | null
}

export const deadLettersKeptMs = 30 * 86_400_000
