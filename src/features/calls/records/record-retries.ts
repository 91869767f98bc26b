import { z } from 'zod'
import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { callFactsSchema } from '../../../ports/call-facts.ts'
import { workspaceIn } from '../../../ports/event-catalogue.ts'
import { NonRetryableError } from '../../../ports/non-retryable-error.ts'
import { createRelay } from '../../../ports/outbox-relay.ts'
import type { Ports } from '../../../ports/ports.ts'
import { readFacts } from '../state/call-state-store.ts'
import type { RecordRetries } from '../state/record-queue.ts'
import type { WriteAloneInput } from './write-alone.ts'

const receiver = 'call-records'
const topic = 'call.record'
const concurrency = 4
/** After the API key was refused, the workspace's records are not tried for this time. */
const keyPauseMs = 30_000

/** The facts are part of it, so that a dead letter can be replayed after they are forgotten. */
const bodySchema = z.object({ workspaceId: z.string(), ucid: z.string(), facts: callFactsSchema })

/** `write` writes one record; a NonRetryableError makes a dead letter, NOT_CONFIGURED parks the record. */
export function createRecordRetries(
  ports: Pick<Ports, 'outbox' | 'store' | 'clock' | 'log'>,
  write: (input: WriteAloneInput) => Promise<void>,
): RecordRetries {
  const { outbox, clock, log } = ports
  const pausedUntil = new Map<string, number>()

  const deliver = async (body: string): Promise<void> => {
    const { workspaceId, ucid, facts } = parse(body)
    if (clock.now() < (pausedUntil.get(workspaceId) ?? 0)) throw new AppError('NOT_CONFIGURED')
    try {
      await write({ key: { workspaceId, ucid }, facts })
    } catch (error) {
      if (error instanceof AppError && error.reason === 'NOT_CONFIGURED') pausedUntil.set(workspaceId, clock.now() + keyPauseMs)
      throw error
    }
  }

  const relay = createRelay({
    outbox,
    receiver,
    concurrency,
    log,
    clock,
    deliver: ({ body }) => deliver(body),
    // The message names the platform's codes.
    moveToDeadLetters: (delivery, { message }) =>
      outbox.moveToDeadLetters(delivery, { reason: message, workspaceId: workspaceIn(delivery.body) }),
  })
  return {
    async add(call) {
      const facts = (await readFacts(ports, call)) ?? {}
      const body = JSON.stringify({ ...call, facts } satisfies z.output<typeof bodySchema>)
      await outbox.add({ id: newId(), topic, key: call.ucid, body, receivers: [receiver] })
      relay.wake()
    },
    start: () => relay.start(),
    stop: () => relay.stop(),
  }
}

/** Another version of this service may have written it. */
function parse(body: string): z.output<typeof bodySchema> {
  const parsed = bodySchema.safeParse(JSON.parse(body))
  if (parsed.success) return parsed.data
  throw new NonRetryableError('WRONG_SCHEMA', { cause: parsed.error })
}
