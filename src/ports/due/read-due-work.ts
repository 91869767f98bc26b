import type { Ports } from '../ports.ts'
import { type DueFigures, type DueList, failingItems, readIndex } from './due-list.ts'

/** Of every list, by its name. Four reads for each list of each workspace that has items. Errors: STORE_UNAVAILABLE. */
export async function readDueWork(
  ports: Pick<Ports, 'clock' | 'store'>,
  lists: readonly DueList[],
): Promise<Readonly<Record<string, DueFigures>>> {
  const indexed = Map.groupBy(await readIndex(ports), ({ name }) => name)
  const read = lists.map(async (list) => {
    const workspaces = (indexed.get(list.name) ?? []).map(({ workspaceId }) => workspaceId)
    return [list.name, sum(await Promise.all(workspaces.map((workspaceId) => figuresOf(ports, list, workspaceId))))] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

async function figuresOf(ports: Pick<Ports, 'clock' | 'store'>, list: DueList, workspaceId: string): Promise<DueFigures> {
  const now = ports.clock.now()
  const key = { workspaceId, name: list.name }
  const [due, failing, [first], [failed]] = await Promise.all([
    list.items.count(ports, workspaceId, now),
    failingItems.count(ports, key),
    list.items.range(ports, workspaceId, { max: now, limit: 1 }),
    failingItems.range(ports, key, { limit: 1 }),
  ])
  return { due, failing, oldestMs: Math.max(0, now - Math.min(first?.score ?? now, failed?.score ?? now)) }
}

function sum(figures: readonly DueFigures[]): DueFigures {
  return figures.reduce(
    (all, one) => ({ due: all.due + one.due, failing: all.failing + one.failing, oldestMs: Math.max(all.oldestMs, one.oldestMs) }),
    { due: 0, failing: 0, oldestMs: 0 },
  )
}
