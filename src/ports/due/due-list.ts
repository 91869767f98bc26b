import type { Ports } from '../ports.ts'
import type { Declaration } from '../stored/declaration.ts'
import { SortedList } from '../stored/sorted-list.ts'

/**
 * Something that is to be done. `id`: a short text, which the list's feature understands: the UCID of a call, for
 * example.
 */
export type DueItem = { readonly workspaceId: string; readonly id: string }

/**
 * What waits in a list, over all workspaces. `due`: its time has come. `failing`: it has failed, and is tried again.
 */
export type DueFigures = {
  readonly due: number
  readonly failing: number
  /** Milliseconds since the oldest of them was due, or has failed for the first time; 0 if there is none. */
  readonly oldestMs: number
}

type DueDeclaration = Pick<Declaration<string>, 'name' | 'about' | 'what'> & {
  /** The name of its stored list, if an earlier version has chosen another one. */
  readonly storedAs?: string
  /**
   * Milliseconds. An item that failed is tried again after `first`, then after as long as it has failed already, at
   * most `longest`.
   */
  readonly retry: { readonly firstMs: number; readonly longestMs: number }
  /** Milliseconds: an item that has failed for so long becomes a dead letter. */
  readonly giveUpAfterMs: number
  /** How many items of a workspace are taken at once. */
  readonly batch: number
}

const dayMs = 86_400_000
/** Longer than any outage that the service shall survive. */
const lifetime = 30 * dayMs
const mostIndexed = 10_000

/**
 * When the earliest item of a list and a workspace is due, or is to be looked for: one read finds all work. Its members
 * are the two names.
 */
export const dueIndex = new SortedList({
  name: 'due-work',
  scope: 'installation',
  key: () => [],
  lifetime,
  about: 'workspace',
  what: 'when the work of a workspace is due',
})

export type WorkKey = { readonly workspaceId: string; readonly name: string }
export const workKeyParts = ({ workspaceId, name }: WorkKey): readonly string[] => [workspaceId, name]

export const failingItems = new SortedList({
  name: 'due-work-failing',
  key: workKeyParts,
  lifetime,
  about: 'call',
  what: 'since when an item of due work fails',
})

/**
 * One kind of work that is done later, again, or until it succeeds: durable, by workspace, each item once.
 * `createDueWork` does it. All methods throw STORE_UNAVAILABLE.
 */
export class DueList {
  readonly name: string
  readonly retry: DueDeclaration['retry']
  readonly giveUpAfterMs: number
  readonly batch: number
  /** The items of a workspace, by the time when they are due. */
  readonly items: SortedList<string>

  constructor({ name, storedAs = name, about, what, retry, giveUpAfterMs, batch }: DueDeclaration) {
    this.name = name
    this.retry = retry
    this.giveUpAfterMs = giveUpAfterMs
    this.batch = batch
    this.items = new SortedList({ name: storedAs, key: (workspaceId) => [workspaceId], lifetime, about, what })
  }

  /**
   * Has the item done at `at` (epoch milliseconds) or soon after it; replaces the time that was set before. Durable
   * when it resolves.
   */
  async add(ports: Pick<Ports, 'store'>, { workspaceId, id }: DueItem, at: number): Promise<void> {
    // Each adding has a score of its own, so that an item that is added while it is being done is not taken for done.
    const score = at - Math.random() / 2
    // In this order: an item that the index does not know would not be found.
    await this.items.add(ports, workspaceId, { member: id, score })
    await this.found(ports, workspaceId, score)
  }

  /** Nothing happens if it is not there. */
  async remove(ports: Pick<Ports, 'store'>, { workspaceId, id }: DueItem): Promise<void> {
    const key = { workspaceId, name: this.name }
    // Otherwise it would count as failing for ever, and be given up at once when it is added again and fails.
    await Promise.all([this.items.remove(ports, workspaceId, id), failingItems.remove(ports, key, id)])
  }

  /** The index knows that something is due at `at`. */
  found(ports: Pick<Ports, 'store'>, workspaceId: string, at: number): Promise<void> {
    return dueIndex.addLowest(ports, null, { member: this.indexed(workspaceId), score: at })
  }

  /** As earlier versions had it: one list for all workspaces, under the same name. */
  get shared(): SortedList<null> {
    return new SortedList({ ...this.items.declaration, scope: 'installation', key: () => [] })
  }

  /** The workspaces that have items. */
  async workspaces(ports: Pick<Ports, 'store'>): Promise<readonly string[]> {
    const indexed = await readIndex(ports)
    return indexed.filter(({ name }) => name === this.name).map(({ workspaceId }) => workspaceId)
  }

  /** The member of the index for a workspace. */
  indexed(workspaceId: string): string {
    return `${this.name} ${workspaceId}`
  }
}

/** The list and the workspace of a member of the index. */
type Indexed = { readonly name: string; readonly workspaceId: string }

/** All lists and workspaces that have items. */
export async function readIndex(ports: Pick<Ports, 'store'>): Promise<readonly Indexed[]> {
  return (await dueIndex.range(ports, null, { limit: mostIndexed })).map(({ member }) => readIndexed(member))
}

export function readIndexed(member: string): Indexed {
  const [name = '', workspaceId = ''] = member.split(' ', 2)
  return { name, workspaceId }
}

/** How earlier versions wrote an item of all workspaces: `["workspace","id"]`. */
export function itemOfPair(member: string): DueItem {
  const parts: unknown = JSON.parse(member)
  const [workspaceId = '', id = ''] = Array.isArray(parts) ? parts.map(String) : []
  return { workspaceId, id }
}
