import { z } from 'zod'

/** An event that a consumer gave up, as it was received. Of its content people see what it is about. */
export const deadLetterSchema = z.object({
  id: z.string(),
  topic: z.string(),
  /** The consumer that gave it up. */
  receiver: z.string(),
  /** Null if the message does not name it. */
  eventId: z.string().nullable(),
  /** Null if the message names none. */
  workspaceId: z.string().nullable(),
  key: z.string().nullable(),
  reason: z.string(),
  /** Epoch milliseconds. */
  deadAt: z.number(),
  /** The original bytes, in base64. */
  value: z.string(),
  headers: z.record(z.string(), z.string()),
})
export type DeadLetter = z.output<typeof deadLetterSchema>

/** The dead letters that managers see, stored for 30 days. Every method throws STORE_UNAVAILABLE if it cannot work. */
export interface DeadLetterStore {
  /** Durable when it resolves. Does nothing if there is a dead letter with this id. */
  add(deadLetter: DeadLetter): Promise<void>
  /** The dead letters of the given workspaces, newest first. */
  list(page: DeadLetterPage): Promise<readonly DeadLetter[]>
  read(id: string): Promise<DeadLetter | null>
  /** Returns true for the one caller that removed it. */
  remove(id: string): Promise<boolean>
}

/** `workspaceIds`: null stands for the dead letters that name no workspace. `before`: the last dead letter of the previous page. */
export type DeadLetterPage = {
  readonly workspaceIds: readonly (string | null)[]
  readonly limit: number
  readonly before: Pick<DeadLetter, 'id' | 'deadAt'> | null
}

export const deadLetterRetentionMs = 30 * 86_400_000
