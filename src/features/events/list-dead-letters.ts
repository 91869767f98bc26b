import { z } from 'zod'
import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { pageSize, parseInput } from '../../kernel/input.ts'
import type { DeadLetter, DeadLetterPage, DeadLetterStore, DeadLettersOf } from '../../ports/dead-letters.ts'

/** A dead letter as managers see it: what and why, without its content. */
export type ShownDeadLetter = Pick<DeadLetter, 'id' | 'topic' | 'eventId' | 'key' | 'receiver' | 'reason'> & { readonly deadAt: string }
export type ShownDeadLetters = { readonly deadLetters: readonly ShownDeadLetter[]; readonly nextCursor: string | null }

const cursorSchema = z.tuple([z.number(), z.string()])

/** A page of the workspace's dead letters, newest first. Errors: INVALID_INPUT, STORE_UNAVAILABLE. */
export function createListDeadLetters(dead: DeadLetterStore, deadLettersOf: DeadLettersOf) {
  return async (workspaceId: string, { first: asked, after }: { first: number; after: string | null }): Promise<ShownDeadLetters> => {
    const first = parseInput(pageSize(100), asked, 'first')
    const found = await dead.list({
      workspaceIds: deadLettersOf(workspaceId),
      limit: first + 1,
      before: after === null ? null : placeOf(after),
    })
    const deadLetters = found.slice(0, first)
    const last = found.length > first ? deadLetters.at(-1) : undefined
    return { deadLetters: deadLetters.map(shown), nextCursor: last ? cursorOf(last) : null }
  }
}

function shown({ id, topic, eventId, key, receiver, reason, deadAt }: DeadLetter): ShownDeadLetter {
  return { id, topic, eventId, key, receiver, reason, deadAt: isoMoment(deadAt) }
}

function cursorOf({ deadAt, id }: DeadLetter): string {
  return Buffer.from(JSON.stringify([deadAt, id])).toString('base64url')
}

function placeOf(cursor: string): NonNullable<DeadLetterPage['before']> {
  try {
    const [deadAt, id] = cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return { deadAt, id }
  } catch (cause) {
    throw new AppError('INVALID_INPUT', { detail: 'after: is no cursor of ours', cause })
  }
}
