import { AppError } from '../../kernel/errors.ts'
import { derivedId } from '../../kernel/ids.ts'
import { loggedReason } from '../../kernel/logged-error.ts'
import type { EventBus } from '../event-bus.ts'
import { NonRetryableError } from '../non-retryable-error.ts'
import type { Ports } from '../ports.ts'
import type { SortedMember } from '../store.ts'
import { LeaseOf } from '../stored/lease-of.ts'
import type { SortedList } from '../stored/sorted-list.ts'
import { type DueFigures, dueIndex, type DueItem, type DueList, failingItems, readIndexed, type WorkKey, workKeyParts } from './due-list.ts'
import { readDueWork } from './read-due-work.ts'

/**
 * What becomes of an item: it leaves the list, comes again at `again` (epoch milliseconds), or has failed and is tried
 * again. NOT_TRIED: it stays.
 */
export type DueResult = 'DONE' | 'NOT_TRIED' | { readonly again: number } | { readonly error: unknown }

/** How the items of a list are done. */
export type DueTask = {
  readonly list: DueList
  /**
   * Does these items of one workspace; no other process has items of this list and workspace meanwhile, unless `signal`
   * is aborted. Resolves to the results in their order. An error is that of each. It may run again for an item that it
   * has done.
   */
  readonly run: (items: readonly DueItem[], signal: AbortSignal) => Promise<readonly DueResult[]>
  /**
   * Brings over what an earlier version of this service has stored in another way; runs now and then, also beside such
   * a version.
   */
  readonly carryOver?: () => Promise<void>
  /** Runs before an item becomes a dead letter. If it throws, the item is tried again. */
  readonly giveUp?: (item: DueItem) => Promise<void>
}

/** Disposing waits for what is being done. */
export type DueWork = AsyncDisposable & {
  /** The bus, which replays a dead letter of an item by having the item done again. */
  replayedBy<Bus extends Pick<EventBus, 'replay'>>(bus: Bus): Bus
  /** What waits, by the name of the list, read at most every half minute. Errors: STORE_UNAVAILABLE. */
  figures(): Promise<Readonly<Record<string, DueFigures>>>
  /**
   * Begins what is due, of all lists and workspaces. `ended` waits for it, and rejects if it was stopped by an error.
   * Errors: STORE_UNAVAILABLE.
   */
  begin(): Promise<{ ended(): Promise<unknown> }>
}

/**
 * The topic of the dead letters of items that were given up; their receiver is the name of the list, their key the id
 * of the item.
 */
export const dueTopic = 'due-work'

/** If the process dies, its work is found again after this time, when its lease is over. */
const lookAgainMs = 15_000
/** Workspaces of a list: those that are slow delay no other list. */
const mostAtOnce = 10
const figuresMs = 30_000
const mostRead = 200
const mostCarriedOver = 10_000
const mostFailing = 1_000
const carryOverEveryMs = 60_000

export const dueLease = new LeaseOf({ name: 'due-work-lease', key: workKeyParts, what: 'due work of a workspace under way' })

type WorkPorts = Pick<Ports, 'clock' | 'log' | 'store'> & { readonly bus: Pick<Ports['bus'], 'deadLetters'> }

/**
 * Does the items of all lists, on every instance. A slow workspace delays no other one, and an item that fails no other
 * item.
 */
export function createDueWork(ports: WorkPorts, tasks: readonly DueTask[]): DueWork {
  const byName = new Map(tasks.map((task) => [task.list.name, task]))
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  const figures = createFigures(ports, tasks)
  let carryOverAt = 0

  const beginOne = (member: string, task: DueTask, workspaceId: string): Promise<void> => {
    const work = doWork(ports, task, { workspaceId, stopping: stopping.signal })
    const ended = work
      .catch((error: unknown) => ports.log.warn({ list: task.list.name, workspaceId, reason: loggedReason(error) }, 'due-work.stopped'))
      .finally(() => running.delete(member))
    running.set(member, ended)
    return work
  }
  const runningOf = (name: string): number => [...running.keys()].filter((member) => readIndexed(member).name === name).length
  const carryOver = async (): Promise<void> => {
    if (ports.clock.now() < carryOverAt) return
    carryOverAt = ports.clock.now() + carryOverEveryMs
    for (const { list, carryOver: bringOver } of tasks) {
      // What one list cannot read must not keep back the others.
      await bringOver?.().catch((error: unknown) => ports.log.warn({ list: list.name, reason: loggedReason(error) }, 'due-work.stopped'))
    }
  }
  return {
    async begin() {
      await carryOver()
      const due = await dueIndex.range(ports, null, { max: ports.clock.now(), limit: mostRead })
      const begun: Promise<void>[] = []
      for (const { member } of due) {
        const { name, workspaceId } = readIndexed(member)
        const task = byName.get(name)
        if (stopping.signal.aborted) break
        if (task && !running.has(member) && runningOf(name) < mostAtOnce) begun.push(beginOne(member, task, workspaceId))
      }
      return { ended: () => Promise.all(begun) }
    },
    replayedBy: (bus) => ({
      ...bus,
      async replay(deadLetter) {
        const { topic, receiver, workspaceId, key } = deadLetter
        const list = topic === dueTopic ? byName.get(receiver)?.list : undefined
        if (!list || workspaceId === null || key === null) return bus.replay(deadLetter)
        await list.add(ports, { workspaceId, id: key }, ports.clock.now())
      },
    }),
    figures: () => figures.read(),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}

/** The reading grows with the workspaces that have items, and `/health` asks every two seconds. */
function createFigures(ports: Pick<Ports, 'clock' | 'store'>, tasks: readonly DueTask[]) {
  const lists = tasks.map(({ list }) => list)
  let last: { readonly at: number; readonly figures: ReturnType<typeof readDueWork> } | null = null
  return {
    read(): ReturnType<typeof readDueWork> {
      const now = ports.clock.now()
      if (last === null || now - last.at >= figuresMs || now < last.at) {
        const figures = readDueWork(ports, lists)
        last = { at: now, figures }
        // A failure is not remembered.
        figures.catch(() => (last = null))
      }
      return last.figures
    },
  }
}

/** For `carryOver`: the items of all workspaces were in one list. `itemIn` reads a member. */
export async function carryOverShared(
  ports: Pick<Ports, 'store'>,
  list: DueList,
  { former, itemIn }: { readonly former: SortedList<null>; readonly itemIn: (member: string) => DueItem },
): Promise<void> {
  for (const { member, score } of await former.range(ports, null, { limit: mostCarriedOver })) {
    await list.add(ports, itemIn(member), score)
    await former.remove(ports, null, member)
  }
}

/** For `run`: each item by itself, so many at a time, until the signal is aborted. */
export function eachAlone(atOnce: number, run: (item: DueItem) => Promise<DueResult>): DueTask['run'] {
  return async (items, signal) => {
    const results = items.map((): DueResult => 'NOT_TRIED')
    const left = items.entries()
    const work = async (): Promise<void> => {
      for (const [index, item] of left) {
        if (signal.aborted) return
        results[index] = await run(item).catch((error: unknown) => ({ error }))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return results
  }
}

async function doWork(
  ports: WorkPorts,
  task: DueTask,
  { workspaceId, stopping }: { readonly workspaceId: string; readonly stopping: AbortSignal },
): Promise<void> {
  const { list } = task
  const key = { workspaceId, name: list.name }
  await using lease = await dueLease.acquire(ports, key, { log: ports.log })
  if (!lease) return
  const claimed = { member: list.indexed(workspaceId), score: ports.clock.now() + lookAgainMs }
  await dueIndex.add(ports, null, claimed)
  const due = await list.items.range(ports, workspaceId, { max: ports.clock.now(), limit: list.batch })
  if (due.length > 0) await doItems(ports, task, { key, due, signal: AbortSignal.any([lease.lost, stopping]) })
  await lookNext(ports, list, { workspaceId, claimed })
}

type Due = { readonly key: WorkKey; readonly due: readonly SortedMember[]; readonly signal: AbortSignal }

async function doItems(ports: WorkPorts, task: DueTask, { key, due, signal }: Due): Promise<void> {
  const since = await failingItems.range(ports, key, { limit: mostFailing })
  const failingSince = new Map(since.map(({ member, score }) => [member, score]))
  const items = due.map(({ member: id }) => ({ workspaceId: key.workspaceId, id }))
  const results = await task.run(items, signal).catch((error: unknown) => items.map((): DueResult => ({ error })))
  for (const [index, position] of due.entries()) {
    const result = results[index] ?? 'NOT_TRIED'
    if (result !== 'NOT_TRIED')
      await settle(ports, task, { key, position, result, failingSince: failingSince.get(position.member) ?? null })
  }
  // One line for all: an outage fails each of them.
  const failed = results.flatMap((result, index) => (typeof result === 'object' && 'error' in result ? [{ index, ...result }] : []))
  const [first] = failed
  if (!first) return
  const facts = { list: key.name, workspaceId: key.workspaceId, items: failed.length, first: due[first.index]?.member }
  ports.log.warn({ ...facts, reason: loggedReason(first.error) }, 'due-work.failed')
}

type Settled = {
  readonly key: WorkKey
  readonly position: SortedMember
  readonly result: Exclude<DueResult, 'NOT_TRIED'>
  /** Epoch milliseconds; null if it did not fail the last time. */
  readonly failingSince: number | null
}

/** An item that was added again meanwhile has another time: it stays. */
async function settle(ports: WorkPorts, task: DueTask, settled: Settled): Promise<void> {
  const { key, position, result, failingSince } = settled
  if (typeof result === 'object' && 'error' in result) return fail(ports, task, { ...settled, error: result.error })
  await task.list.items.move(ports, key.workspaceId, { ...position, to: result === 'DONE' ? null : result.again })
  if (failingSince !== null) await failingItems.remove(ports, key, position.member)
}

async function fail(ports: WorkPorts, task: DueTask, failed: Settled & { readonly error: unknown }): Promise<void> {
  const { key, position, failingSince, error } = failed
  const { list } = task
  const now = ports.clock.now()
  // It says nothing about the item.
  const isStoreAway = error instanceof AppError && error.reason === 'STORE_UNAVAILABLE'
  if (isStoreAway) return void (await list.items.move(ports, key.workspaceId, { ...position, to: now + list.retry.firstMs }))
  const since = failingSince ?? now
  const facts = { list: list.name, workspaceId: key.workspaceId, item: position.member, reason: loggedReason(error) }
  if (failingSince === null) await failingItems.addLowest(ports, key, { member: position.member, score: now })
  const isLast = error instanceof NonRetryableError || now - since > list.giveUpAfterMs
  if (isLast && (await isGivenUp(ports, task, { ...failed, since }))) return ports.log.error(facts, 'due-work.given-up')
  const isMoved = await list.items.move(ports, key.workspaceId, { ...position, to: now + delayOf(list, error, now - since) })
  // It was removed, or added again.
  if (!isMoved) await failingItems.remove(ports, key, position.member)
}

/** A configuration is not corrected in seconds. */
function delayOf({ retry }: DueList, error: unknown, failingMs: number): number {
  const isUnconfigured = error instanceof AppError && error.reason === 'NOT_CONFIGURED'
  return isUnconfigured ? retry.longestMs : Math.min(Math.max(failingMs, retry.firstMs), retry.longestMs)
}

type Last = Settled & { readonly error: unknown; readonly since: number }

async function isGivenUp(ports: WorkPorts, { list, giveUp }: DueTask, { key, position, error, since }: Last): Promise<boolean> {
  const { workspaceId } = key
  const { member: id } = position
  try {
    await giveUp?.({ workspaceId, id })
    await ports.bus.deadLetters.add({
      id: derivedId(dueTopic, workspaceId, list.name, id, String(since)),
      topic: dueTopic,
      receiver: list.name,
      eventId: null,
      workspaceId,
      key: id,
      reason: error instanceof NonRetryableError ? error.message : `NOT_DELIVERED: ${loggedReason(error)}`,
      deadAt: ports.clock.now(),
      value: Buffer.from(JSON.stringify({ workspaceId, id })).toString('base64'),
      headers: {},
    })
  } catch (reason) {
    ports.log.warn({ list: list.name, workspaceId, reason: loggedReason(reason) }, 'due-work.stopped')
    return false
  }
  await failingItems.remove(ports, key, id)
  await list.items.move(ports, workspaceId, { ...position, to: null })
  return true
}

/**
 * Tells the index when to look again. It was claimed for so long that nobody else looks meanwhile, unless somebody
 * added an item that is due earlier. Whoever adds one changes the claim: then it stays, so that the new item is found
 * although this process dies.
 */
async function lookNext(
  ports: WorkPorts,
  list: DueList,
  { workspaceId, claimed }: { readonly workspaceId: string; readonly claimed: SortedMember },
): Promise<void> {
  const next = await earliest(ports, list, workspaceId)
  const isUnchanged = await dueIndex.move(ports, null, { ...claimed, to: next })
  if (!isUnchanged && next !== null) await list.found(ports, workspaceId, next)
}

async function earliest(ports: Pick<Ports, 'store'>, list: DueList, workspaceId: string): Promise<number | null> {
  const [first] = await list.items.range(ports, workspaceId, { limit: 1 })
  return first?.score ?? null
}
