import { scaled } from '../../../kernel/deadlines.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../../../kernel/errors.ts'
import { hashOf } from '../../../kernel/ids.ts'
import type { Member } from '../../../ports/agents.ts'
import type { Ports } from '../../../ports/ports.ts'
import { telephonyDeadlineMs } from '../../../ports/telephony.ts'
import { Family } from '../../../ports/stored/family.ts'

const dialledSchema = z.object({ ucid: z.string(), callId: z.string(), phoneNumber: z.string(), provider: z.string() })
/** A call that was started. `ucid`: the provider's id of it; `callId`: the id of our record; `provider`: who makes it. */
export type Dialled = z.output<typeof dialledSchema>

/** `idempotencyKey`: null makes every request a call of its own. */
export type DialRequestKey = { readonly member: Member; readonly idempotencyKey: string | null }

const pollMs = 50
/** Dialling takes no longer: the second provider may be asked about a former call first, then one of them makes the call. */
export const dialMs = 2 * telephonyDeadlineMs + 5_000

const attemptSchema = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('DIALLING') }),
  /** The provider gave no answer, or one that cannot be read: the call may ring or not. */
  z.object({ stage: z.literal('UNCERTAIN') }),
  z.object({ stage: z.literal('MADE'), dialled: dialledSchema }),
])
type Attempt = z.output<typeof attemptSchema>

const dialling: Attempt = { stage: 'DIALLING' }

type RequestKey = { readonly member: Member; readonly idempotencyKey: string }

export const dialAttempts = new Family({
  name: 'dial',
  key: ({ member, idempotencyKey }: RequestKey) => [member.workspaceId, member.memberId, hashOf(idempotencyKey)],
  schema: attemptSchema,
  lifetime: 86_400_000,
  about: 'person',
  what: "the answer to a dial request, by the client's key",
})

/**
 * Makes the call of an idempotency key once; a repetition returns the result of the first. Errors: those of `make`, DEADLINE_PASSED if nobody
 * knows whether the first call was made.
 */
export async function dialOnce(
  ports: Pick<Ports, 'store' | 'log'>,
  { member, idempotencyKey }: DialRequestKey,
  make: () => Promise<Dialled>,
): Promise<Dialled> {
  if (idempotencyKey === null) return make()
  const key = { member, idempotencyKey }
  const startedAt = performance.now()
  while (performance.now() - startedAt < scaled(dialMs)) {
    if (await dialAttempts.writeNew(ports, key, { value: dialling })) return makeFirst(ports, key, make)
    const attempt = await dialAttempts.read(ports, key)
    if (attempt?.stage === 'MADE') return attempt.dialled
    if (attempt?.stage === 'UNCERTAIN') throw uncertain()
    await delay(pollMs)
  }
  throw uncertain()
}

async function makeFirst(ports: Pick<Ports, 'store' | 'log'>, key: RequestKey, make: () => Promise<Dialled>): Promise<Dialled> {
  const { log } = ports
  const write = (attempt: Attempt): Promise<void> => dialAttempts.write(ports, key, { value: attempt })
  const withdraw = (): Promise<unknown> => dialAttempts.deleteVersion(ports, key, dialAttempts.versionOf(dialling))
  const dialled = await make().catch(async (error: unknown) => {
    // The agent learns why there is no call, not that the store is away too.
    await (mayBeMade(error) ? write({ stage: 'UNCERTAIN' }) : withdraw()).catch((failure: unknown) =>
      log.warn({ err: failure }, 'dial.result-not-stored'),
    )
    throw error
  })
  // The call was made: a failed write must not hide it. A repetition then finds DIALLING, and makes no second call.
  await write({ stage: 'MADE', dialled }).catch((error: unknown) => log.warn({ err: error }, 'dial.result-not-stored'))
  return dialled
}

/** Whether the call may have been made although this was thrown. */
export function mayBeMade(error: unknown): boolean {
  return error instanceof AppError && (error.reason === 'DEADLINE_PASSED' || error.reason === 'PROVIDER_ANSWER_INVALID')
}

function uncertain(): AppError {
  return new AppError('DEADLINE_PASSED', {
    detail: 'The provider gave no answer that can be read: the call may have been made. To call again, use another key',
  })
}
