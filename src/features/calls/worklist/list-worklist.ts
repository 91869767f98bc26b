import type { Actor } from '../../../access/actor.ts'
import { type Connection, type PageRequest, type Positioned, readConnection, withNodes } from '../../../kernel/connection.ts'
import type { SortedMember } from '../../../ports/store.ts'
import { compareSorted, type SortedPage, sortedPosition } from '../../../ports/stored/sorted-list.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { watchActor } from '../../auth/watch-actor.ts'
import { liveStream } from '../streams/live-stream.ts'
import { type ClaimCheck, dueAtOf, type WorklistEntry } from '../worklist-entries/entry.ts'
import { checkClaims, isOpen, readEntry, readOpenEntries, worklistTopic } from '../worklist-entries/entry-store.ts'
import { refreshTasks, type RefreshTasksPorts } from './refresh-tasks.ts'

/** An entry with what is needed to show it as it is now. */
export type ShownEntry = { readonly entry: WorklistEntry; readonly check: ClaimCheck }
export type WorklistPage = PageRequest & { readonly includeLater: boolean }

const shownFirst = 200
/** As many open entries as a workspace has. */
const maxFollowed = 5_000
/** A page and one more. The tasks of all are read, because one that was moved on the platform changes who is due. */
const readAtOnce = 201

/**
 * A page of the people to call back now, the first due first; with `includeLater` also those who are due later. An entry whose due time
 * changes meanwhile moves to its new place. Errors: INVALID_INPUT, STORE_UNAVAILABLE.
 */
export async function listWorklist(ports: RefreshTasksPorts, actor: Actor, page: WorklistPage): Promise<Connection<ShownEntry>> {
  const { workspaceId } = actor.principal
  const found = await readConnection({ name: 'worklist', workspaceId, position: sortedPosition }, page, async (after, count) => ({
    entries: await readEntries(ports, actor, { after, count, latest: page.includeLater ? Number.POSITIVE_INFINITY : ports.clock.now() }),
  }))
  const check = await checkClaims(ports, workspaceId, found.nodes)
  return withNodes(
    found,
    found.nodes.map((entry) => ({ entry, check })),
  )
}

type EntryPage = Pick<SortedPage, 'after' | 'count'> & { readonly latest: number }
type PositionedEntry = Positioned<WorklistEntry, SortedMember>

/** Open entries that are due at `latest`, as the platform has their tasks now. */
async function readEntries(
  ports: RefreshTasksPorts,
  actor: Actor,
  { after, count, latest }: EntryPage,
): Promise<readonly PositionedEntry[]> {
  const found: PositionedEntry[] = []
  let last = after
  while (found.length < count) {
    const stored = await readOpenEntries(ports, actor.principal.workspaceId, { after: last, count: readAtOnce })
    const isEnd = stored.length < readAtOnce
    const end = isEnd ? null : (stored.at(-1)?.position ?? null)
    const current = await refreshTasks(
      ports,
      actor,
      stored.map(({ node }) => node),
    )
    const from = last
    const next = current
      .filter(isOpen)
      .map((node) => ({ node, position: { score: Date.parse(dueAtOf(node)), member: node.id } }))
      // One that was moved before or behind these is at its new place in the store.
      .filter(({ position }) => (from === null || compareSorted(position, from) > 0) && (end === null || compareSorted(position, end) <= 0))
    found.push(...next.filter(({ position }) => position.score <= latest).toSorted((a, b) => compareSorted(a.position, b.position)))
    if (end === null || end.score > latest) break
    last = end
  }
  return found.slice(0, count)
}

/** One entry, to show it. */
export async function shown(
  ports: Pick<CallPorts, 'clock' | 'store'>,
  { principal: { workspaceId } }: Actor,
  entry: WorklistEntry,
): Promise<ShownEntry> {
  return { entry, check: await checkClaims(ports, workspaceId, [entry]) }
}

export type WorklistEvent = ShownEntry & { readonly kind: 'SNAPSHOT' | 'CHANGED' }

/**
 * The first 200 open entries, also those that are due later, then every entry that changes or closes. Ends when `signal` aborts or the token
 * expires. Errors: OVERLOADED (read too slowly), STORE_UNAVAILABLE.
 */
export async function* followWorklist(
  ports: Pick<CallPorts, 'clock' | 'notifications' | 'principals' | 'store'>,
  actor: Actor,
  signal: AbortSignal,
): AsyncGenerator<WorklistEvent> {
  const { workspaceId } = actor.principal
  /** The open entries that the reader has: their end must not be missed. */
  const followed = new Set<string>()
  const changes = liveStream({
    notifications: ports.notifications,
    topic: worklistTopic,
    workspaceId,
    end: { signal, allowed: watchActor(ports, actor) },
    existing: async () => {
      const first = await readOpenEntries(ports, workspaceId, { after: null, count: shownFirst })
      return [...new Set([...first.map(({ node }) => node.id), ...followed])]
    },
  })
  for await (const { key: id, isFirst } of changes) {
    const entry = await readEntry(ports, { workspaceId, id })
    if (entry && isOpen(entry) && (followed.has(id) || followed.size < maxFollowed)) followed.add(id)
    else followed.delete(id)
    if (entry) yield { ...(await shown(ports, actor, entry)), kind: isFirst ? 'SNAPSHOT' : 'CHANGED' }
  }
}
