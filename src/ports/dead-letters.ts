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
export interface DeadLetterStore {
  /** Durable when it resolves; a letter whose id stands there already is not kept again. */
  keep(deadLetter: DeadLetter): Promise<void>
  /** Newest first: those of the workspaces. */
  list(page: DeadLetterPage): Promise<readonly DeadLetter[]>
  read(id: string): Promise<DeadLetter | null>
  /** True for the one that took it away. */
  remove(id: string): Promise<boolean>
}

/** `workspaceIds`: null among them for letters that tell of none. `before`: the last letter of the page before. */
export type DeadLetterPage = {
  readonly workspaceIds: readonly (string | null)[]
  readonly limit: number
  readonly before: Pick<DeadLetter, 'id' | 'deadAt'> | null
}

/**
 * Whose letters a manager of the workspace may see and replay. Those that tell of no workspace (broken JSON, a callback that nobody can
 * work) may be anybody's where several are served: they are for operators then, in the log and in the broker's `.dead` topics.
 */
export type DeadLettersOf = (workspaceId: string) => DeadLetterPage['workspaceIds']

export const deadLettersKeptMs = 30 * 86_400_000
