import { z } from 'zod'
import type { EventDepth } from '../../ports/event-bus.ts'
import { depthOfAll } from './event-depth.ts'
import {
  type DeadLetter,
  type DeadLetterPage,
  type DeadLetterStore,
  deadLetterSchema,
  deadLetterRetentionMs,
} from '../../ports/dead-letters.ts'
import { type Delivery, type Outbox, outboxBound, type OutboxEvent } from '../../ports/outbox.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { RedisConnection } from '../redis/connection.ts'
import { deadLetterOf } from './dead-letter.ts'
import { createOutboxCleanup } from './outbox-cleanup.ts'
import { idRetentionMs, outboxFull } from './outbox-limits.ts'
import { outboxScripts } from './redis-outbox-scripts.ts'

type Run = (script: keyof typeof outboxScripts, values: readonly (string | number)[]) => Promise<unknown>

const root = 'outbox:'

/** The outbox that several instances share: each lane is leased to one of them at a time. As durable as its Redis. */
export function createRedisOutbox({ connection, clock }: { readonly connection: RedisConnection; readonly clock: Clock }): Outbox {
  const once: Run = (script, values) => connection.once((redis) => redis.eval(outboxScripts[script], 1, root, ...values))
  const repeatable: Run = (script, values) => connection.repeatable((redis) => redis.eval(outboxScripts[script], 1, root, ...values))
  const moveToDeadLetters: Outbox['moveToDeadLetters'] = async (delivery, cause) =>
    void (await repeatable('moveToDeadLetters', [...placeOf(delivery), ...valuesOf(deadLetterOf(delivery, cause, clock.now()))]))
  const cleanup = createOutboxCleanup({
    clock,
    moveToDeadLetters,
    addedBefore: async (time, limit) =>
      oldSchema.parse(await repeatable('addedBefore', [time, limit])).map(([receiver, fields]) => deliveryOf(receiver, fields)),
    purge: async () => void (await repeatable('purgeDeadLetters', [clock.now() - deadLetterRetentionMs])),
  })
  return {
    async add({ id, topic, key, body, receivers, bound = outboxBound }: OutboxEvent) {
      const lanes = receivers.flatMap((receiver) => [laneOf({ receiver, topic, key }), receiver])
      const values = [id, topic, key, body, bound.maxEvents, bound.maxAgeMs ?? -1, idRetentionMs, ...lanes]
      const added = await repeatable('add', values)
      if (added === 0) throw outboxFull()
      return added === 1
    },
    async claim({ receiver, limit, leaseMs }) {
      await cleanup.runIfDue()
      return claimedSchema.parse(await once('claim', [receiver, limit, leaseMs])).map((fields) => deliveryOf(receiver, fields))
    },
    async renew({ deliveries, leaseMs }) {
      const lanes = deliveries.flatMap((delivery) => placeOf(delivery))
      await once('renew', [leaseMs, ...lanes])
    },
    settle: async (delivery) => void (await repeatable('settle', placeOf(delivery))),
    postpone: async (delivery, { delayMs, parked }) =>
      void (await once('postpone', [...placeOf(delivery), Math.ceil(delayMs), parked ? 1 : 0])),
    moveToDeadLetters,
    depth: async () => depthOf(depthSchema.parse(await repeatable('depth', []))),
    deadLetters: createDeadLetterStore(repeatable, clock),
    close: async () => undefined,
  }
}

const fieldsSchema = z.tuple([z.string(), z.string(), z.string(), z.string(), z.string(), z.coerce.number(), z.coerce.number(), z.string()])
const claimedSchema = z.array(fieldsSchema)
const oldSchema = z.array(z.tuple([z.string(), fieldsSchema]))

function deliveryOf(receiver: string, fields: z.output<typeof fieldsSchema>): Delivery {
  const [sequence, eventId, topic, key, body, tries, addedAt, parked] = fields
  return { sequence, receiver, eventId, topic, key, body, tries, addedAt, parked: parked === '1' }
}

const depthSchema = z.tuple([z.number(), z.array(z.tuple([z.string(), z.number(), z.number(), z.number()]))])

function depthOf([deadLetters, depths]: z.output<typeof depthSchema>): EventDepth {
  const receivers = Object.fromEntries(
    depths.map(([receiver, events, parked, oldestAgeMs]) => [receiver, { events, parked, oldestAgeMs }] as const),
  )
  return depthOfAll(receivers, deadLetters)
}

const pageLength = 200

function createDeadLetterStore(run: Run, clock: Clock): DeadLetterStore {
  const read = async (id: string): Promise<DeadLetter | null> =>
    deadLetterIn(
      z
        .string()
        .nullable()
        .parse(await run('readDeadLetter', [id])),
    )
  return {
    add: async (deadLetter) => void (await run('addDeadLetter', [...valuesOf(deadLetter), clock.now() - deadLetterRetentionMs])),
    async list({ workspaceIds, ...page }) {
      const found = await Promise.all(workspaceIds.map((workspaceId) => listOf(run, workspaceId, page)))
      return found
        .flat()
        .toSorted((a, b) => (isNewer(a, b) ? -1 : 1))
        .slice(0, page.limit)
    },
    read,
    async remove(id) {
      const deadLetter = await read(id)
      return deadLetter !== null && (await run('removeDeadLetter', [id, deadLetter.workspaceId ?? ''])) === 1
    },
  }
}

/** Any number of dead letters can have the time of the page before; the ones that it had are left out. */
async function listOf(run: Run, workspaceId: string | null, { limit, before }: Omit<DeadLetterPage, 'workspaceIds'>) {
  const found: DeadLetter[] = []
  for (let skipped = 0; found.length < limit; skipped += pageLength) {
    const values = [workspaceId ?? '', before?.deadAt ?? '+inf', pageLength, skipped]
    const texts = z.array(z.string()).parse(await run('listDeadLetters', values))
    const deadLetters = texts.map(deadLetterIn).filter((deadLetter) => deadLetter !== null)
    found.push(...deadLetters.filter((deadLetter) => before === null || isNewer(before, deadLetter)))
    if (texts.length < pageLength) break
  }
  return found
}

function isNewer(a: Pick<DeadLetter, 'id' | 'deadAt'>, b: Pick<DeadLetter, 'id' | 'deadAt'>): boolean {
  return a.deadAt > b.deadAt || (a.deadAt === b.deadAt && a.id > b.id)
}

function valuesOf(deadLetter: DeadLetter): readonly [string, string, number, string] {
  return [deadLetter.id, deadLetter.workspaceId ?? '', deadLetter.deadAt, JSON.stringify(deadLetter)]
}

function deadLetterIn(text: string | null): DeadLetter | null {
  return text === null || text === '' ? null : (deadLetterSchema.safeParse(JSON.parse(text)).data ?? null)
}

function placeOf(delivery: Delivery): readonly [string, string, string] {
  return [delivery.receiver, laneOf(delivery), delivery.sequence]
}

function laneOf({ receiver, topic, key }: Pick<Delivery, 'receiver' | 'topic' | 'key'>): string {
  return JSON.stringify([receiver, topic, key])
}
