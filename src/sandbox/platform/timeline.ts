import { joinColumnOf, type ObjectModel } from './data-model.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import type { StoredRecord } from './record-table.ts'
import type { RecordEvent, Records } from './records.ts'
import { relationColumn, type WorkspaceModel } from './workspace-model.ts'

/** The platform writes activity a moment after the record. */
const delayMs = 15
/** Further changes by the same member within this time are added to the last "updated" entry. */
const mergeMs = 600_000

const unseen = new Set(['updatedAt', 'updatedBy', 'position', 'searchVector'])

type Deps = { readonly model: WorkspaceModel; readonly records: Records; readonly moment: () => string }

type Timeline = {
  /** Writes pending entries at once. */
  readonly flush: () => void
  readonly stop: () => void
}

/** Writes `timelineActivity` records: `lead.created`, `lead.updated` with the difference, `linked-note.created`, ... */
export function recordActivity({ model, records, moment }: Deps): Timeline {
  let waiting: { event: RecordEvent; happensAt: string }[] = []
  let timer: NodeJS.Timeout | undefined

  const flush = (): void => {
    const due = waiting
    waiting = []
    timer = undefined
    for (const { event, happensAt } of due) writeEntry({ model, records }, event, happensAt)
  }
  records.listen((event) => {
    if (event.object.nameSingular === 'timelineActivity') return
    waiting.push({ event, happensAt: event.action === 'created' ? event.record.createdAt : moment() })
    timer ??= setTimeout(flush, delayMs).unref()
  })
  return { flush, stop: () => clearTimeout(timer) }
}

/** What one entry says: `about` is the record, `object` what it is one of, `column` the timeline's relation to it. */
type Entry = {
  readonly name: string
  readonly object: string
  readonly column: string
  readonly about: string
  readonly more: JsonObject
}

/** What went away in the meantime has no timeline any more; a member who did is left out. */
function writeEntry({ model, records }: Omit<Deps, 'moment'>, event: RecordEvent, happensAt: string): void {
  const timeline = model.object('timelineActivity')
  const entry = timeline && (linkedEntry(model, records, event) ?? ownEntry(model, event))
  if (!timeline || !entry || !records.read(entry.object, entry.about)) return
  const { workspaceMemberId: writer } = event.actor
  const workspaceMemberId = writer !== null && records.read('workspaceMember', writer) ? writer : null
  const data = { name: entry.name, happensAt, workspaceMemberId, [entry.column]: entry.about, ...entry.more }
  if (event.action === 'updated' && merged(records, timeline, { entry, data })) return
  const record = records.create(timeline, { data, actor: { ...event.actor, name: 'System', source: 'MANUAL' } })
  // A client could not write an empty object.
  if (!entry.more['properties']) records.table(timeline).put({ ...record, properties: {} })
}

function ownEntry(model: WorkspaceModel, event: RecordEvent): Entry | null {
  const { object, record, action } = event
  const column = relationColumn(model, 'timelineActivity', object.nameSingular)
  if (column === null || action === 'destroyed') return null
  const diff = action === 'updated' ? differenceOf(event) : null
  if (diff && Object.keys(diff).length === 0) return null
  return {
    name: `${object.nameSingular}.${action}`,
    object: object.nameSingular,
    column,
    about: record.id,
    more: diff ? { properties: { diff } } : {},
  }
}

const linkable: Readonly<Record<string, string>> = { noteTarget: 'note', taskTarget: 'task' }

/** A note or task that was hung on a record shows on that record's timeline. */
function linkedEntry(model: WorkspaceModel, records: Records, { object, record, action }: RecordEvent): Entry | null {
  const linked = linkable[object.nameSingular]
  if (linked === undefined || action !== 'created') return null
  const id = record[joinColumnOf(linked)]
  for (const use of model.uses(object).values()) {
    if (use.kind !== 'toOne' || use.field.name === linked) continue
    const about = record[use.joinColumn]
    const column = relationColumn(model, 'timelineActivity', use.target)
    if (column === null || typeof about !== 'string' || typeof id !== 'string') continue
    const linkedRecordCachedName = records.read(linked, id)?.['title'] ?? ''
    const linkedObjectMetadataId = model.object(linked)?.id ?? null
    const more = { linkedRecordId: id, linkedRecordCachedName, linkedObjectMetadataId }
    return { name: `linked-${linked}.created`, object: use.target, column, about, more }
  }
  return null
}

function differenceOf({ before, record }: RecordEvent): JsonObject {
  const diff: JsonObject = {}
  for (const [name, after] of Object.entries(record)) {
    const old = before?.[name] ?? null
    if (!unseen.has(name) && JSON.stringify(old) !== JSON.stringify(after)) diff[name] = { before: old, after }
  }
  return diff
}

/** Adds a change to the member's last entry of the same kind, if that entry is recent. */
function merged(records: Records, timeline: ObjectModel, { entry, data }: { entry: Entry; data: JsonObject }): boolean {
  const since = Date.parse(String(data['happensAt'])) - mergeMs
  const isSame = (other: StoredRecord): boolean =>
    other['name'] === entry.name &&
    (other['workspaceMemberId'] ?? null) === data['workspaceMemberId'] &&
    Date.parse(String(other['happensAt'])) >= since
  const known = records.table(timeline).findBy([entry.column], [entry.about]).find(isSame)
  if (!known) return false
  const diff = { ...diffOf(known) }
  for (const [name, change] of Object.entries(diffOf(data))) {
    const earlier = diff[name]
    diff[name] = isJsonObject(earlier) && isJsonObject(change) ? { ...change, before: earlier['before'] } : change
  }
  records.table(timeline).put({ ...known, properties: { diff } })
  return true
}

function diffOf({ properties }: JsonObject): JsonObject {
  const diff = isJsonObject(properties) ? properties['diff'] : null
  return isJsonObject(diff) ? diff : {}
}
