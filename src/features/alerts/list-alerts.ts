import type { Actor } from '../../access/actor.ts'
import { type Connection, type PageRequest, readConnection } from '../../kernel/connection.ts'
import type { Ports } from '../../ports/ports.ts'
import { compareSorted, sortedPosition } from '../../ports/stored/sorted-list.ts'
import type { RaisedAlert } from './alert.ts'
import { alertsByTime, readActiveAlerts, readAlerts } from './alert-store.ts'

/** A page of the workspace's alerts, newest first. Errors: INVALID_INPUT, STORE_UNAVAILABLE. */
export async function listAlerts(
  ports: Pick<Ports, 'store'>,
  { principal: { workspaceId } }: Actor,
  { activeOnly, ...page }: PageRequest & { readonly activeOnly: boolean },
): Promise<Connection<RaisedAlert>> {
  return readConnection({ name: 'alerts', workspaceId, position: sortedPosition }, page, async (after, count) => {
    if (!activeOnly) {
      const read = (ids: readonly string[]) => readAlerts(ports, workspaceId, ids)
      return { entries: await alertsByTime.page(ports, workspaceId, { order: -1, after, count, read }) }
    }
    const active = (await readActiveAlerts(ports, workspaceId)).map((node) => ({ node, position: positionOf(node) }))
    const sorted = active.toSorted((one, other) => compareSorted(other.position, one.position))
    return { entries: sorted.filter(({ position }) => after === null || compareSorted(position, after) < 0).slice(0, count) }
  })
}

function positionOf({ id, raisedAt }: RaisedAlert) {
  return { score: Date.parse(raisedAt), member: id }
}
