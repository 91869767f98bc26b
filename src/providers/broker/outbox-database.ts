import { DatabaseSync } from 'node:sqlite'
import { inTransaction } from '../../kernel/in-transaction.ts'
import type { EventDepth } from '../../ports/event-bus.ts'
import { depthOfAll } from './event-depth.ts'
import type { Delivery, OutboxBound, OutboxEvent, Postponement } from '../../ports/outbox.ts'
import { openDeadLetterTable } from './sqlite-dead-letters.ts'
import { deadLetterOf } from './dead-letter.ts'
import type { OutboxReply, OutboxStep, OutboxFile } from './outbox-protocol.ts'
import { prepareOutbox } from './outbox-schema.ts'
import { createReceiverCounts } from './receiver-counts.ts'

/** The outbox's file and the steps on it; only its worker thread uses it. */
export interface OutboxDatabase {
  /** Runs the steps as one transaction that is on the disk when it returns. */
  write<T>(steps: () => T): T
  apply(step: OutboxStep): StepResult
  close(): void
}

type StepResult = Omit<OutboxReply, 'call'>

type OpenOutbox = {
  readonly sql: ReturnType<typeof prepareOutbox>
  readonly deadLetters: ReturnType<typeof openDeadLetterTable>
  readonly counts: ReturnType<typeof createReceiverCounts>
  readonly bound: OutboxBound
}

const done: StepResult = { outcome: 'done' }
const nothingToDo: StepResult = { outcome: 'none' }

export function openOutboxDatabase(options: OutboxFile): OutboxDatabase {
  const { file, ...bound } = options
  const database = new DatabaseSync(file, { timeout: 2_000 })
  const sql = prepareOutbox(database)
  const counts = createReceiverCounts(() => sql.counts.all())
  const deadLetters = openDeadLetterTable(database)
  const outbox: OpenOutbox = { sql, deadLetters, counts, bound }
  return {
    write(steps) {
      try {
        return inTransaction(database, steps)
      } catch (error) {
        counts.reload()
        throw error
      }
    },
    apply: (step) => applyStep(outbox, step),
    close: () => database.close(),
  }
}

function applyStep(outbox: OpenOutbox, step: OutboxStep): StepResult {
  const { deadLetters } = outbox
  switch (step.kind) {
    case 'add':
      return add(outbox, step.event, step.now)
    case 'claim':
      return { outcome: 'done', deliveries: claim(outbox, step) }
    case 'renew':
      renew(outbox, step)
      return done
    case 'settle':
      return remove(outbox, step.delivery, step.now) ? done : nothingToDo
    case 'postpone':
      postpone(outbox, step.delivery, { ...step.postponement, now: step.now })
      return done
    case 'moveToDeadLetters':
      if (!remove(outbox, step.delivery, step.now)) return nothingToDo
      deadLetters.add(deadLetterOf(step.delivery, step.cause, step.now))
      return done
    case 'addedBefore':
      return { outcome: 'done', deliveries: outbox.sql.addedBefore.all(step.limit, step.time).map((row) => deliveryOf(row)) }
    case 'purge':
      outbox.sql.forget.run(step.known)
      deadLetters.purge(step.deadLetters)
      return done
    case 'depth':
      return { outcome: 'done', depth: depth(outbox, step.now) }
    case 'addDeadLetter':
      deadLetters.add(step.deadLetter)
      return done
    case 'listDeadLetters':
      return { outcome: 'done', deadLetters: deadLetters.list(step.page) }
    case 'readDeadLetter':
      return { outcome: 'done', deadLetters: deadLetters.read(step.id) }
    case 'removeDeadLetter':
      return deadLetters.remove(step.id) ? done : nothingToDo
    default:
      return step satisfies never
  }
}

function add(outbox: OpenOutbox, event: OutboxEvent, now: number): StepResult {
  const { sql, counts } = outbox
  const receivers = event.receivers.filter((receiver) => !sql.isKnown.get(event.id, receiver))
  if (receivers.length === 0) return nothingToDo
  const bound = event.bound ?? outbox.bound
  if (receivers.some((receiver) => isFull(outbox, receiver, { ...bound, now }))) return { outcome: 'full' }
  for (const receiver of receivers) {
    const lane = laneOf({ receiver, topic: event.topic, key: event.key })
    sql.know.run(event.id, receiver, now)
    sql.addEvent.run(lane, receiver, event.id, event.topic, event.key, event.body, now)
    sql.openLane.run(lane, receiver, now)
    counts.change(receiver, { events: 1 })
  }
  return done
}

function isFull(outbox: OpenOutbox, receiver: string, { maxEvents, maxAgeMs, now }: OutboxBound & { readonly now: number }): boolean {
  if (outbox.counts.of(receiver).events >= maxEvents) return true
  return maxAgeMs !== null && oldestAgeMs(outbox, receiver, now) >= maxAgeMs
}

function oldestAgeMs({ sql }: OpenOutbox, receiver: string, now: number): number {
  const oldest = sql.oldest.get(receiver)
  return oldest ? Math.max(0, now - Number(oldest['added_at'])) : 0
}

function claim({ sql }: OpenOutbox, { now, receiver, limit, leaseMs }: Extract<OutboxStep, { kind: 'claim' }>): Delivery[] {
  return sql.dueLanes.all(receiver, now, limit).map((row): Delivery => {
    const lane = String(row['lane'])
    sql.leaseLane.run(now + leaseMs, lane)
    return deliveryOf({ ...sql.firstOf.get(lane), receiver, tries: row['tries'] ?? 0 })
  })
}

function deliveryOf(event: Readonly<Record<string, unknown>>): Delivery {
  return {
    sequence: String(event['sequence']),
    receiver: String(event['receiver']),
    eventId: String(event['id']),
    topic: String(event['topic']),
    key: String(event['key']),
    body: String(event['body']),
    addedAt: Number(event['added_at']),
    parked: event['parked'] === 1,
    tries: Number(event['tries'] ?? 0),
  }
}

function renew(outbox: OpenOutbox, { now, deliveries, leaseMs }: Extract<OutboxStep, { kind: 'renew' }>): void {
  for (const delivery of deliveries) if (isFirst(outbox, delivery)) outbox.sql.renewLane.run(now + leaseMs, laneOf(delivery))
}

/** False if another delivery has settled the event, after the lease expired. */
function isFirst({ sql }: OpenOutbox, delivery: Delivery): boolean {
  return String(sql.firstOf.get(laneOf(delivery))?.['sequence']) === delivery.sequence
}

/** Removes the event. Returns false if another delivery has done so, after the lease expired. */
function remove({ sql, counts }: OpenOutbox, delivery: Delivery, now: number): boolean {
  const isRemoved = sql.removeEvent.run(Number(delivery.sequence)).changes === 1
  if (!isRemoved) return false
  const lane = laneOf(delivery)
  counts.change(delivery.receiver, delivery.parked ? { parked: -1 } : { events: -1 })
  if (sql.firstOf.get(lane)) sql.freeLane.run(now, 0, lane)
  else sql.closeLane.run(lane)
  return true
}

function postpone(outbox: OpenOutbox, delivery: Delivery, { delayMs, parked, now }: Postponement & { readonly now: number }): void {
  if (!isFirst(outbox, delivery)) return
  const { sql, counts } = outbox
  sql.freeLane.run(Math.ceil(now + delayMs), delivery.tries + 1, laneOf(delivery))
  const isChanged = parked !== delivery.parked && sql.park.run(parked ? 1 : 0, Number(delivery.sequence)).changes === 1
  if (isChanged) counts.change(delivery.receiver, parked ? { events: -1, parked: 1 } : { events: 1, parked: -1 })
}

function depth(outbox: OpenOutbox, now: number): EventDepth {
  const receivers = outbox.counts
    .all()
    .map(([receiver, count]) => [receiver, { ...count, oldestAgeMs: oldestAgeMs(outbox, receiver, now) }] as const)
  return depthOfAll(Object.fromEntries(receivers), outbox.deadLetters.count())
}

function laneOf({ receiver, topic, key }: Pick<Delivery, 'receiver' | 'topic' | 'key'>): string {
  return JSON.stringify([receiver, topic, key])
}
