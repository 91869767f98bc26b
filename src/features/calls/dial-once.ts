import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import type { Store } from '../../ports/store.ts'
import { createStoredJson } from './stored-json.ts'
import { telephonyDeadlineMs } from '../../ports/telephony.ts'

export type DialKey = {
  readonly workspaceId: string
  readonly memberId: string
  /** Null: every request is a call of its own. */
  readonly key: string | null
}

/** A call that was begun: the provider's id of it, our record's, and who makes it. */
export type Dialled = { readonly ucid: string; readonly callId: string; readonly phoneNumber: string; readonly provider: string }

/** Makes the call of one key once; whoever repeats the key gets the first one's answer. */
export type DialOnce = (key: DialKey, make: () => Promise<Dialled>) => Promise<Dialled>

const keptMs = 86_400_000
const lookEveryMs = 50
const longestWaitMs = telephonyDeadlineMs + 5_000

const attemptSchema = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('DIALLING') }),
  /** No answer came: nobody knows whether it rings. */
  z.object({ stage: z.literal('UNCERTAIN') }),
  z.object({
    stage: z.literal('MADE'),
    dialled: z.object({ ucid: z.string(), callId: z.string(), phoneNumber: z.string(), provider: z.string() }),
  }),
])
type Attempt = z.output<typeof attemptSchema>

export function createDialOnce(store: Store): DialOnce {
  const attempts = createStoredJson<Attempt>(store, { schema: attemptSchema, ttlMs: keptMs })
  const dialling = JSON.stringify({ stage: 'DIALLING' } satisfies Attempt)

  const makeFor = async (place: string, make: () => Promise<Dialled>): Promise<Dialled> => {
    try {
      const dialled = await make()
      await attempts.write(place, { stage: 'MADE', dialled })
      return dialled
    } catch (error) {
      const isUncertain = error instanceof AppError && error.reason === 'DEADLINE_PASSED'
      await (isUncertain ? attempts.write(place, { stage: 'UNCERTAIN' }) : store.compareAndDelete(place, dialling))
      throw error
    }
  }

  return async ({ workspaceId, memberId, key }, make) => {
    if (key === null) return make()
    if (key.length > 100) throw new AppError('INVALID_INPUT', { detail: 'idempotencyKey: has at most 100 characters' })
    const place = `dial:${workspaceId}:${memberId}:${key}`
    const startedAt = performance.now()
    while (performance.now() - startedAt < longestWaitMs) {
      if (await store.setIfAbsent(place, dialling, { ttlMs: keptMs })) return makeFor(place, make)
      const attempt = await attempts.read(place)
      if (attempt?.stage === 'MADE') return attempt.dialled
      if (attempt?.stage === 'UNCERTAIN') throw uncertain()
      await new Promise((resolve) => void setTimeout(resolve, lookEveryMs))
    }
    throw uncertain()
  }
}

function uncertain(): AppError {
  return new AppError('DEADLINE_PASSED', {
    detail: 'The provider gave no answer: the call may have been made. To call again, use another key',
  })
}
