import { DatabaseSync } from 'node:sqlite'
import type { EventDepth } from '../../ports/event-bus.ts'
import { depthOfAll } from './event-depth.ts'
import type { Delivery, OutboxBound, OutboxEvent, Postponement } from '../../ports/outbox.ts'
import { openDeadLetterTable } from './dead-letter-table.ts'
import { deadLetterOf } from './dead-letter.ts'
import type { OutboxReply, OutboxStep, OutboxWorkerData } from './outbox-protocol.ts'
import { createReceiverCounts } from './receiver-counts.ts'

type Applied = Omit<OutboxReply, 'call'>

/** The outbox's file and the steps on it; used by its worker alone. */
export interface OutboxDatabase {
  /** Runs the steps as one transaction that is on the disk when it returns. */
  write<T>(steps: () => T): T
  apply(step: OutboxStep): Applied
  close(): void
}

/**
 * `lane` holds one row for each receiver, topic and key with something to deliver; its first event is the one with the lowest
 * sequence. `known` are ids that were added, delivered or not.
 */
const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA journal_size_limit = 67108864;
  CREATE TABLE IF NOT EXISTS known (
    id TEXT NOT NULL, receiver TEXT NOT NULL, added_at INTEGER NOT NULL, PRIMARY KEY (id, receiver)) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS known_age ON known (added_at);
  CREATE TABLE IF NOT EXISTS event (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, lane TEXT NOT NULL, receiver TEXT NOT NULL, id TEXT NOT NULL, topic TEXT NOT NULL,
    key TEXT NOT NULL, body TEXT NOT NULL, added_at INTEGER NOT NULL, parked INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE INDEX IF NOT EXISTS event_lane ON event (lane, sequence);
  CREATE INDEX IF NOT EXISTS event_active ON event (receiver, sequence) WHERE parked = 0;
  CREATE TABLE IF NOT EXISTS lane (
    lane TEXT PRIMARY KEY, receiver TEXT NOT NULL, due_at INTEGER NOT NULL, tries INTEGER NOT NULL, leased INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS lane_due ON lane (receiver, due_at);
`

export function openOutboxDatabase({ file, maxEvents, maxAgeMs, keepIdsMs, deadLetterRetentionMs }: OutboxWorkerData): OutboxDatabase {
  const database = new DatabaseSync(file, { timeout: 2_000 })
  database.exec(schema)
  // Whoever held these leases is gone: this process owns the file.
  database.exec('UPDATE lane SET due_at = 0, leased = 0 WHERE leased = 1')
  const sql = prepare(database)
  const dead = openDeadLetterTable(database, deadLetterRetentionMs)
  const counts = createReceiverCounts(() => sql.counts.all())
  let purgedAt = 0

  const oldestAgeMs = (receiver: string, now: number): number => {
    const oldest = sql.oldest.get(receiver)
    return oldest ? Math.max(0, now - Number(oldest['added_at'])) : 0
  }

  const depth = (now: number): EventDepth => {
    const receivers = Object.fromEntries(
      counts.all().map(([receiver, count]) => [receiver, { ...count, oldestAgeMs: oldestAgeMs(receiver, now) }]),
    )
    return depthOfAll(receivers)
  }

  const isFull = (receiver: string, now: number, bound: OutboxBound): boolean =>
    counts.of(receiver).events >= bound.maxEvents || (bound.maxAgeMs !== null && oldestAgeMs(receiver, now) >= bound.maxAgeMs)

  const add = (event: OutboxEvent, now: number): Applied => {
    const receivers = event.receivers.filter((receiver) => !sql.isKnown.get(event.id, receiver))
    const bound = event.bound ?? { maxEvents, maxAgeMs }
    if (receivers.some((receiver) => isFull(receiver, now, bound))) return { outcome: 'full' }
    for (const receiver of receivers) {
      const lane = laneOf(receiver, event.topic, event.key)
      sql.know.run(event.id, receiver, now)
      sql.addEvent.run(lane, receiver, event.id, event.topic, event.key, event.body, now)
      sql.openLane.run(lane, receiver, now)
      counts.change(receiver, { events: 1 })
    }
    return { outcome: 'done' }
  }

  const claim = (step: Extract<OutboxStep, { kind: 'claim' }>): Applied => {
    const lanes = sql.dueLanes.all(step.receiver, step.now, step.limit)
    const deliveries = lanes.map((row): Delivery => {
      const lane = String(row['lane'])
      sql.leaseLane.run(step.now + step.leaseMs, lane)
      const event = sql.firstOf.get(lane)
      return {
        sequence: String(event?.['sequence']),
        receiver: step.receiver,
        eventId: String(event?.['id']),
        topic: String(event?.['topic']),
        key: String(event?.['key']),
        body: String(event?.['body']),
        addedAt: Number(event?.['added_at']),
        parked: event?.['parked'] === 1,
        tries: Number(row['tries']),
      }
    })
    return { outcome: 'done', deliveries }
  }

  /** Takes the event out; true unless somebody else, after the lease ran out, has done so. */
  const remove = (delivery: Delivery, now: number): boolean => {
    const removed = sql.removeEvent.run(Number(delivery.sequence)).changes === 1
    const lane = laneOf(delivery.receiver, delivery.topic, delivery.key)
    if (removed) counts.change(delivery.receiver, delivery.parked ? { parked: -1 } : { events: -1 })
    if (removed && sql.firstOf.get(lane)) sql.freeLane.run(now, 0, lane)
    else if (removed) sql.closeLane.run(lane)
    return removed
  }

  const postpone = (delivery: Delivery, { delayMs, parked }: Postponement, now: number): Applied => {
    const lane = laneOf(delivery.receiver, delivery.topic, delivery.key)
    sql.freeLane.run(Math.ceil(now + delayMs), delivery.tries + 1, lane)
    const changed = parked !== delivery.parked && sql.park.run(parked ? 1 : 0, Number(delivery.sequence)).changes === 1
    if (changed) counts.change(delivery.receiver, parked ? { events: -1, parked: 1 } : { events: 1, parked: -1 })
    return { outcome: 'done' }
  }

  const purge = (now: number): void => {
    purgedAt = now
    sql.forget.run(now - keepIdsMs)
    dead.purge(now)
  }

  const apply = (step: OutboxStep): Applied => {
    if (step.now - purgedAt > 3_600_000) purge(step.now)
    switch (step.kind) {
      case 'add':
        return add(step.event, step.now)
      case 'claim':
        return claim(step)
      case 'settle':
        return { outcome: remove(step.delivery, step.now) ? 'done' : 'none' }
      case 'postpone':
        return postpone(step.delivery, step.postponement, step.now)
      case 'bury':
        if (!remove(step.delivery, step.now)) return { outcome: 'none' }
        dead.keep(deadLetterOf(step.delivery, step.burial, step.now))
        return { outcome: 'done' }
      case 'depth':
        return { outcome: 'done', depth: depth(step.now) }
      case 'keepDead':
        dead.keep(step.deadLetter)
        return { outcome: 'done' }
      case 'listDead':
        return { outcome: 'done', deadLetters: dead.list(step.page) }
      case 'readDead':
        return { outcome: 'done', deadLetters: dead.read(step.id) }
      case 'removeDead':
        return { outcome: dead.remove(step.id) ? 'done' : 'none' }
      default:
        return step satisfies never
    }
  }

  return {
    write(steps) {
      database.exec('BEGIN IMMEDIATE')
      try {
        const answer = steps()
        database.exec('COMMIT')
        return answer
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        counts.reload()
        throw error
      }
    },
    apply,
    close: () => database.close(),
  }
}

function prepare(database: DatabaseSync) {
  return {
    isKnown: database.prepare('SELECT 1 FROM known WHERE id = ? AND receiver = ?'),
    know: database.prepare('INSERT INTO known (id, receiver, added_at) VALUES (?, ?, ?)'),
    forget: database.prepare('DELETE FROM known WHERE added_at < ?'),
    counts: database.prepare('SELECT receiver, sum(parked = 0) AS events, sum(parked) AS parked FROM event GROUP BY receiver'),
    oldest: database.prepare('SELECT added_at FROM event WHERE receiver = ? AND parked = 0 ORDER BY sequence LIMIT 1'),
    addEvent: database.prepare('INSERT INTO event (lane, receiver, id, topic, key, body, added_at) VALUES (?, ?, ?, ?, ?, ?, ?)'),
    removeEvent: database.prepare('DELETE FROM event WHERE sequence = ?'),
    park: database.prepare('UPDATE event SET parked = ? WHERE sequence = ?'),
    firstOf: database.prepare(
      'SELECT sequence, id, topic, key, body, added_at, parked FROM event WHERE lane = ? ORDER BY sequence LIMIT 1',
    ),
    openLane: database.prepare('INSERT INTO lane (lane, receiver, due_at, tries, leased) VALUES (?, ?, ?, 0, 0) ON CONFLICT DO NOTHING'),
    dueLanes: database.prepare('SELECT lane, tries FROM lane WHERE receiver = ? AND due_at <= ? ORDER BY due_at LIMIT ?'),
    leaseLane: database.prepare('UPDATE lane SET due_at = ?, leased = 1 WHERE lane = ?'),
    freeLane: database.prepare('UPDATE lane SET due_at = ?, tries = ?, leased = 0 WHERE lane = ?'),
    closeLane: database.prepare('DELETE FROM lane WHERE lane = ?'),
  }
}

function laneOf(receiver: string, topic: string, key: string): string {
  return JSON.stringify([receiver, topic, key])
}
