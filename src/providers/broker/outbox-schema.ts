import type { DatabaseSync } from 'node:sqlite'

/**
 * `lane` holds one row for each receiver, topic and key that has events to deliver; the first event of a lane is the one with the lowest
 * sequence. `known` holds the ids that were added, delivered or not.
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

/** Creates the tables if they are missing and prepares the statements on them. */
export function prepareOutbox(database: DatabaseSync) {
  database.exec(schema)
  // The leases belong to a process that has ended, because this process owns the file.
  database.exec('UPDATE lane SET due_at = 0, leased = 0 WHERE leased = 1')
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
    // Sequences are in the order of time, so that only the oldest rows are read.
    addedBefore: database.prepare(
      'SELECT * FROM (SELECT receiver, sequence, id, topic, key, body, added_at, parked FROM event ORDER BY sequence LIMIT ?) WHERE added_at < ?',
    ),
    openLane: database.prepare('INSERT INTO lane (lane, receiver, due_at, tries, leased) VALUES (?, ?, ?, 0, 0) ON CONFLICT DO NOTHING'),
    dueLanes: database.prepare('SELECT lane, tries FROM lane WHERE receiver = ? AND due_at <= ? ORDER BY due_at LIMIT ?'),
    leaseLane: database.prepare('UPDATE lane SET due_at = ?, leased = 1 WHERE lane = ?'),
    renewLane: database.prepare('UPDATE lane SET due_at = ? WHERE lane = ? AND leased = 1'),
    freeLane: database.prepare('UPDATE lane SET due_at = ?, tries = ?, leased = 0 WHERE lane = ?'),
    closeLane: database.prepare('DELETE FROM lane WHERE lane = ?'),
  }
}
