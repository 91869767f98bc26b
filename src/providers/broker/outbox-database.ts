import { DatabaseSync } from 'node:sqlite'
import type { EventDepth } from '../../events/bus.ts'
import type { Delivery, OutboxEvent } from '../../events/outbox.ts'
import type { OutboxReply, OutboxStep, OutboxWorkerData } from './outbox-protocol.ts'

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
  CREATE TABLE IF NOT EXISTS known (id TEXT PRIMARY KEY, added_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS known_age ON known (added_at);
  CREATE TABLE IF NOT EXISTS event (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, lane TEXT NOT NULL, receiver TEXT NOT NULL, id TEXT NOT NULL, topic TEXT NOT NULL,
    key TEXT NOT NULL, body TEXT NOT NULL, added_at INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS event_lane ON event (lane, sequence);
  CREATE TABLE IF NOT EXISTS lane (
    lane TEXT PRIMARY KEY, receiver TEXT NOT NULL, due_at INTEGER NOT NULL, tries INTEGER NOT NULL, leased INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS lane_due ON lane (receiver, due_at);
  CREATE TABLE IF NOT EXISTS dead (
    sequence INTEGER PRIMARY KEY, receiver TEXT NOT NULL, id TEXT NOT NULL, topic TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL,
    reason TEXT NOT NULL, buried_at INTEGER NOT NULL) STRICT;
`

export function openOutboxDatabase({ file, maxEvents, maxAgeMs, keepIdsMs }: OutboxWorkerData): OutboxDatabase {
  const database = new DatabaseSync(file, { timeout: 2_000 })
  database.exec(schema)
  // Whoever held these leases is gone: this process owns the file.
  database.exec('UPDATE lane SET due_at = 0, leased = 0 WHERE leased = 1')
  const sql = prepare(database)
  const count = (): number => Number(sql.count.get()?.['events'])
  let events = count()
  let purgedAt = 0

  const depth = (now: number): EventDepth => {
    const oldest = sql.oldest.get()
    return { events, oldestAgeMs: oldest ? Math.max(0, now - Number(oldest['added_at'])) : 0 }
  }

  const hasRoom = (now: number): boolean => {
    return events < maxEvents && depth(now).oldestAgeMs < maxAgeMs
  }

  const add = (event: OutboxEvent, now: number): Applied => {
    if (sql.isKnown.get(event.id)) return { outcome: 'done' }
    if (event.receivers.length > 0 && !hasRoom(now)) return { outcome: 'full' }
    sql.know.run(event.id, now)
    for (const receiver of event.receivers) {
      const lane = laneOf(receiver, event.topic, event.key)
      sql.addEvent.run(lane, receiver, event.id, event.topic, event.key, event.body, now)
      sql.openLane.run(lane, receiver, now)
    }
    events += event.receivers.length
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
        tries: Number(row['tries']),
      }
    })
    return { outcome: 'done', deliveries }
  }

  /** Takes the event out; true unless somebody else, after the lease ran out, has done so. */
  const remove = (delivery: Delivery, now: number): boolean => {
    const removed = sql.removeEvent.run(Number(delivery.sequence)).changes === 1
    const lane = laneOf(delivery.receiver, delivery.topic, delivery.key)
    if (removed) events -= 1
    if (removed && sql.firstOf.get(lane)) sql.freeLane.run(now, 0, lane)
    else if (removed) sql.closeLane.run(lane)
    return removed
  }

  const purge = (now: number): void => {
    purgedAt = now
    sql.forget.run(now - keepIdsMs)
  }

  const apply = (step: OutboxStep): Applied => {
    if (step.now - purgedAt > 3_600_000) purge(step.now)
    switch (step.kind) {
      case 'add':
        return add(step.event, step.now)
      case 'claim':
        return claim(step)
      case 'settle':
        remove(step.delivery, step.now)
        return { outcome: 'done' }
      case 'postpone':
        sql.freeLane.run(step.now + step.delayMs, step.delivery.tries + 1, laneOfDelivery(step.delivery))
        return { outcome: 'done' }
      case 'bury':
        if (remove(step.delivery, step.now)) bury(step.delivery, step.reason, step.now)
        return { outcome: 'done' }
      case 'depth':
        return { outcome: 'done', depth: depth(step.now) }
      default:
        return step satisfies never
    }
  }

  const bury = ({ sequence, receiver, eventId, topic, key, body }: Delivery, reason: string, now: number): void =>
    void sql.bury.run(Number(sequence), receiver, eventId, topic, key, body, reason, now)

  return {
    write(steps) {
      database.exec('BEGIN IMMEDIATE')
      try {
        const answer = steps()
        database.exec('COMMIT')
        return answer
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        events = count()
        throw error
      }
    },
    apply,
    close: () => database.close(),
  }
}

function prepare(database: DatabaseSync) {
  return {
    isKnown: database.prepare('SELECT 1 FROM known WHERE id = ?'),
    know: database.prepare('INSERT INTO known (id, added_at) VALUES (?, ?)'),
    forget: database.prepare('DELETE FROM known WHERE added_at < ?'),
    count: database.prepare('SELECT count(*) AS events FROM event'),
    oldest: database.prepare('SELECT added_at FROM event ORDER BY sequence LIMIT 1'),
    addEvent: database.prepare('INSERT INTO event (lane, receiver, id, topic, key, body, added_at) VALUES (?, ?, ?, ?, ?, ?, ?)'),
    removeEvent: database.prepare('DELETE FROM event WHERE sequence = ?'),
    firstOf: database.prepare('SELECT sequence, id, topic, key, body FROM event WHERE lane = ? ORDER BY sequence LIMIT 1'),
    openLane: database.prepare('INSERT INTO lane (lane, receiver, due_at, tries, leased) VALUES (?, ?, ?, 0, 0) ON CONFLICT DO NOTHING'),
    dueLanes: database.prepare('SELECT lane, tries FROM lane WHERE receiver = ? AND due_at <= ? ORDER BY due_at LIMIT ?'),
    leaseLane: database.prepare('UPDATE lane SET due_at = ?, leased = 1 WHERE lane = ?'),
    freeLane: database.prepare('UPDATE lane SET due_at = ?, tries = ?, leased = 0 WHERE lane = ?'),
    closeLane: database.prepare('DELETE FROM lane WHERE lane = ?'),
    bury: database.prepare(
      'INSERT OR REPLACE INTO dead (sequence, receiver, id, topic, key, body, reason, buried_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ),
  }
}

function laneOf(receiver: string, topic: string, key: string): string {
  return JSON.stringify([receiver, topic, key])
}

function laneOfDelivery({ receiver, topic, key }: Delivery): string {
  return laneOf(receiver, topic, key)
}
