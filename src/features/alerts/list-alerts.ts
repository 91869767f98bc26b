import type { Actor } from '../../access/actor.ts'
import { type Connection, type PageRequest, readConnection } from '../../kernel/connection.ts'
import type { Ports } from '../../ports/ports.ts'
import { readSorted, sortedPosition } from '../calls/sorted-page.ts'
import type { RaisedAlert } from './alert.ts'
import { activeList, allList, readAlerts } from './alert-store.ts'

/** A page of the workspace's alerts, newest first. Errors: INVALID_INPUT, STORE_UNAVAILABLE. */
export async function listAlerts(
  ports: Pick<Ports, 'store'>,
  { principal: { workspaceId } }: Actor,
  { activeOnly, ...page }: PageRequest & { readonly activeOnly: boolean },
): Promise<Connection<RaisedAlert>> {
  const list = activeOnly ? activeList(workspaceId) : allList(workspaceId)
  return readConnection({ name: 'alerts', workspaceId, position: sortedPosition }, page, async (after, count) => ({
    entries: await readSorted(ports.store, { list, order: -1, after, count }, (ids) => readAlerts(ports, workspaceId, ids)),
  }))
}
