import { expect, test } from 'vitest'
import { FairQueue, type Owner, unlimited } from '../../src/kernel/fair-queue.ts'

const ownerOf = (name: string): Owner => ({ workspaceId: name.charAt(0), memberId: name })

/** `A1` is a member of the workspace `A`. Items are named after their owners. */
function add(queue: FairQueue<string>, ...names: readonly string[]): void {
  for (const name of names) queue.wait(queue.laneOf(ownerOf(name.slice(0, 2))), name)
}
function begin(queue: FairQueue<string>, ...names: readonly string[]): void {
  for (const name of names) queue.begin(queue.laneOf(ownerOf(name)))
}
function takeAll(queue: FairQueue<string>, shares = unlimited, ends = false): readonly string[] {
  const taken: string[] = []
  for (let next = queue.next(shares); next; next = queue.next(shares)) {
    taken.push(next.item)
    if (ends) queue.end(next.lane)
  }
  return taken
}

test('workspaces have their turns one after the other, and within each its members, however much one of them has waiting', () => {
  const queue = new FairQueue<string>()
  add(queue, 'A1a', 'A1b', 'A1c', 'A1d', 'A1e', 'A2a', 'A2b', 'B1a', 'B1b', 'C1a')
  expect(takeAll(queue, unlimited, true)).toEqual(['A1a', 'B1a', 'C1a', 'A2a', 'B1b', 'A1b', 'A2b', 'A1c', 'A1d', 'A1e'])
  expect(queue).toMatchObject({ length: 0, running: 0 })
})

test('who has the least under way comes first', () => {
  const queue = new FairQueue<string>()
  begin(queue, 'A1', 'A1', 'A1', 'A2', 'B1', 'B1')
  add(queue, 'A1x', 'A2x', 'A3x', 'B1x', 'B2x')
  expect(takeAll(queue)).toEqual(['B2x', 'B1x', 'A3x', 'A2x', 'A1x'])
})

test('what is over its share waits until others of its owner end, and nobody else waits for it', () => {
  const queue = new FairQueue<string>()
  const shares = { perMember: 2, perWorkspace: 3, modest: 0, several: 0 }
  add(queue, 'A1a', 'A1b', 'A1c', 'A2a', 'A2b', 'B1a')
  expect(takeAll(queue, shares)).toEqual(['A1a', 'B1a', 'A2a', 'A1b'])
  expect([queue.length, queue.running]).toEqual([2, 4])
  expect(queue.hasRoom(queue.laneOf(ownerOf('B1')), shares)).toBe(true)
  queue.end(queue.laneOf(ownerOf('A1')))
  expect(takeAll(queue, shares)).toEqual(['A2b'])
  // The last workspace that has work may use all, but each member only its share.
  queue.end(queue.laneOf(ownerOf('B1')))
  expect(takeAll(queue, shares)).toEqual(['A1c'])
})

test('there is room for a request at the cost of the longest lane, by workspace, then by member', () => {
  const queue = new FairQueue<string>()
  const makeRoom = (name: string) => queue.makeRoom(queue.laneOf(ownerOf(name)))
  add(queue, 'A1a', 'A1b', 'A1c', 'A2a', 'B1a', 'B1b')
  expect([makeRoom('C1'), makeRoom('C1')]).toEqual([{ dropped: 'A1c' }, { dropped: 'A1b' }])
  // Both have two now. Within a workspace its own members give way.
  expect([makeRoom('A3'), makeRoom('B2'), makeRoom('C1')]).toEqual([null, { dropped: 'B1b' }, { dropped: 'A1a' }])
  expect([makeRoom('C1'), queue.length]).toEqual([null, 2])
})

test('if nothing waits there is room for who has less under way than another', () => {
  const queue = new FairQueue<string>()
  begin(queue, 'A1', 'A1', 'A2')
  const makeRoom = (name: string) => queue.makeRoom(queue.laneOf(ownerOf(name)))
  expect([makeRoom('A1'), makeRoom('A2'), makeRoom('A3'), makeRoom('B1')]).toEqual([null, null, { dropped: null }, { dropped: null }])
})

test('it holds nothing of owners who have nothing', () => {
  const queue = new FairQueue<string>()
  const shares = { perMember: 1, perWorkspace: 1, modest: 0, several: 0 }
  for (let round = 0; round < 1_000; round += 1) {
    const lane = queue.laneOf({ workspaceId: `w${round}`, memberId: 'm' })
    queue.wait(lane, `item${round}`)
    if (round % 2 === 0) queue.remove(lane, `item${round}`)
    else queue.end(queue.next(shares)?.lane ?? lane)
  }
  expect([queue.length, queue.running, queue.oldest(), queue.next(unlimited)]).toEqual([0, 0, null, null])
})
