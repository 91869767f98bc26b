import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { joinColumnOf, type ObjectModel } from './data-model.ts'
import { capitalized, isJsonObject, type JsonObject } from './json.ts'
import type { StoredRecord } from './record-table.ts'
import type { Actor, RecordEvent, Records } from './records.ts'
import type { WorkspaceModel } from './workspace-model.ts'

/** The platform writes activity a moment after the record. */
const delayMs = 15
/** Further changes by the same member within this time are added to the last "updated" entry. */
const mergeMs = 600_000

const unseen = new Set(['updatedAt', 'updatedBy', 'position', 'searchVector'])

type Deps = { readonly model: WorkspaceModel; readonly records: Records; readonly clock: Clock }

/** Writes `timelineActivity` records: `lead.created`, `lead.updated` with the difference, `linked-note.created`, ... */
export function recordActivity({ model, records, clock }: Deps): { readonly stop: () => void } {
  const waiting = new Set<NodeJS.Timeout>()

  const write = (event: RecordEvent, happensAt: string): void => {
    const entry = entryOf(model, records, event)
    const timeline = model.object('timelineActivity')
    if (!entry || !timeline) return
    const data = { properties: {}, happensAt, workspaceMemberId: event.actor.workspaceMemberId, ...entry }
    if (entry.name.endsWith('.updated') && merge(records, timeline, data)) return
    records.create(timeline, { data, actor: { ...event.actor, name: 'System', source: 'MANUAL' } satisfies Actor })
  }

  records.listen((event) => {
    if (event.object.nameSingular === 'timelineActivity') return
    const happensAt = isoMoment(clock.now())
    const timer = setTimeout(() => {
      waiting.delete(timer)
      write(event, happensAt)
    }, delayMs)
    waiting.add(timer.unref())
  })

  return {
    stop() {
      for (const timer of waiting) clearTimeout(timer)
    },
  }
}

type Entry = JsonObject & { readonly name: string }

function entryOf(model: WorkspaceModel, records: Records, event: RecordEvent): Entry | null {
  const { object, record, action } = event
  const linked = object.nameSingular === 'noteTarget' ? 'note' : object.nameSingular === 'taskTarget' ? 'task' : null
  if (linked !== null) return action === 'created' ? linkedEntry(model, records, { linked, record }) : null
  const target = joinColumnOf(`target${capitalized(object.nameSingular)}`)
  const timeline = model.object('timelineActivity')
  if (action === 'destroyed' || !timeline || !model.uses(timeline).has(target)) return null
  const name = `${object.nameSingular}.${action}`
  if (action !== 'updated') return { name, [target]: record.id }
  const diff = differenceOf(event)
  return Object.keys(diff).length === 0 ? null : { name, [target]: record.id, properties: { diff } }
}

/** A note or task that was hung on a record shows on that record's timeline. */
function linkedEntry(model: WorkspaceModel, records: Records, { linked, record }: { linked: string; record: StoredRecord }): Entry | null {
  const id = record[joinColumnOf(linked)]
  const target = Object.entries(record).find(([name, value]) => /^target[A-Z]\w*Id$/.test(name) && value !== null)
  if (typeof id !== 'string' || !target) return null
  return {
    name: `linked-${linked}.created`,
    [target[0]]: target[1],
    linkedRecordId: id,
    linkedRecordCachedName: records.read(linked, id)?.['title'] ?? '',
    linkedObjectMetadataId: model.object(linked)?.id ?? null,
  }
}

function differenceOf({ before, record }: RecordEvent): JsonObject {
  const diff: JsonObject = {}
  for (const [name, after] of Object.entries(record)) {
    const old = before?.[name] ?? null
    if (!unseen.has(name) && JSON.stringify(old) !== JSON.stringify(after)) diff[name] = { before: old, after }
  }
  return diff
}

function merge(records: Records, timeline: ObjectModel, data: JsonObject): boolean {
  const target = Object.entries(data).find(([name]) => /^target[A-Z]\w*Id$/.test(name))
  if (!target) return false
  const since = Date.parse(String(data['happensAt'])) - mergeMs
  const known = records
    .table(timeline)
    .findBy([target[0]], [target[1]])
    .find((entry) => isSameChange(entry, data) && Date.parse(String(entry['happensAt'])) >= since)
  if (!known) return false
  const diff = { ...diffOf(known) }
  for (const [name, change] of Object.entries(diffOf(data))) {
    const earlier = diff[name]
    diff[name] = isJsonObject(earlier) && isJsonObject(change) ? { ...change, before: earlier['before'] } : change
  }
  records.table(timeline).put({ ...known, properties: { diff } })
  return true
}

function isSameChange(entry: StoredRecord, data: JsonObject): boolean {
  return entry['name'] === data['name'] && (entry['workspaceMemberId'] ?? null) === (data['workspaceMemberId'] ?? null)
}

function diffOf({ properties }: JsonObject): JsonObject {
  const diff = isJsonObject(properties) ? properties['diff'] : null
  return isJsonObject(diff) ? diff : {}
}
