/** Whose work it is: a member of a workspace. What belongs to no known member shares one workspace, with a member for each network. */
export type Owner = { readonly workspaceId: string; readonly memberId: string }

/** The most that may be under way at once. */
export type Shares = {
  readonly perMember: number
  /** Only if others have work too. */
  readonly perWorkspace: number
  /** Who has less than this in all, under way or not, may have it under way, whatever `perMember` is. */
  readonly modest: number
  /** Who has no more than this in all may have one under way. */
  readonly several: number
}

export const unlimited: Shares = { perMember: Number.POSITIVE_INFINITY, perWorkspace: Number.POSITIVE_INFINITY, modest: 0, several: 0 }

/** The work of one owner: how much is under way, what waits, and how many refusals are held back. */
export type Lane<Item> = { readonly group: Group<Item>; readonly memberId: string; running: number; readonly waiting: Item[]; held: number }
type Group<Item> = { readonly workspaceId: string; running: number; waiting: number; readonly lanes: Map<string, Lane<Item>> }

/** Counts work and orders what waits: of the workspace with the least under way, then of its member with the least; the one whose turn was longest ago first. */
export class FairQueue<Item> {
  /** In the order of their last turns. */
  private readonly groups = new Map<string, Group<Item>>()
  private readonly items = new Set<Item>()
  private begun = 0

  /** How many wait. */
  get length(): number {
    return this.items.size
  }

  get running(): number {
    return this.begun
  }

  /** What has waited longest; null if nothing waits. */
  oldest(): Item | null {
    return this.items.values().next().value ?? null
  }

  /** Of those that their owners' shares allow, the first of each owner. */
  *allowed(shares: Shares): Generator<Item> {
    for (const group of this.groups.values()) {
      if (group.waiting === 0) continue
      for (const lane of group.lanes.values()) {
        const [first] = lane.waiting
        if (first !== undefined && this.hasRoom(lane, shares)) yield first
      }
    }
  }

  /** The owner's. Give it back by `tidy` if nothing is added to it. */
  laneOf({ workspaceId, memberId }: Owner): Lane<Item> {
    const group = this.groups.get(workspaceId) ?? { workspaceId, running: 0, waiting: 0, lanes: new Map<string, Lane<Item>>() }
    this.groups.set(workspaceId, group)
    const lane = group.lanes.get(memberId) ?? { group, memberId, running: 0, waiting: [], held: 0 }
    group.lanes.set(memberId, lane)
    return lane
  }

  /** Whether the owner has less under way than its share. */
  hasRoom(lane: Lane<Item>, shares: Shares): boolean {
    if (this.groups.size > 1 && lane.group.running >= shares.perWorkspace) return false
    return lane.running < shares.perMember || this.isModest(lane, shares) || (lane.running === 0 && inHand(lane) <= shares.several)
  }

  isModest(lane: Lane<Item>, { modest }: Shares): boolean {
    return inHand(lane) < modest
  }

  begin(lane: Lane<Item>): void {
    const { group } = lane
    lane.running += 1
    group.running += 1
    this.begun += 1
    moveToEnd(group.lanes, lane.memberId, lane)
    moveToEnd(this.groups, group.workspaceId, group)
  }

  end(lane: Lane<Item>): void {
    lane.running -= 1
    lane.group.running -= 1
    this.begun -= 1
    this.tidy(lane)
  }

  wait(lane: Lane<Item>, item: Item): void {
    lane.waiting.push(item)
    lane.group.waiting += 1
    this.items.add(item)
  }

  /** The next one that its owner's share allows; it begins. Null if there is none. */
  next(shares: Shares): { readonly lane: Lane<Item>; readonly item: Item } | null {
    let lane: Lane<Item> | null = null
    for (const group of this.groups.values()) {
      if (group.waiting === 0 || (lane && group.running >= lane.group.running)) continue
      lane = laneWithRoom(group, (each) => this.hasRoom(each, shares)) ?? lane
    }
    const item = lane?.waiting.shift()
    if (!lane || item === undefined) return null
    this.leave(lane, item)
    this.begin(lane)
    return { lane, item }
  }

  /** It waits no more, if it did. */
  remove(lane: Lane<Item>, item: Item): void {
    const index = lane.waiting.indexOf(item)
    if (index !== -1) {
      lane.waiting.splice(index, 1)
      this.leave(lane, item)
    }
    this.tidy(lane)
  }

  /**
   * Makes room for one more of the lane at the cost of who has the most: takes out the last one that waits of the longest lane, in the workspace with the
   * most waiting. `dropped` is null if nothing waits, but somebody has more under way. Null if nobody has more than this lane would have.
   */
  makeRoom(lane: Lane<Item>): { readonly dropped: Item | null } | null {
    if (this.length === 0) return hasMoreRunning(this.groups, lane) ? { dropped: null } : null
    const longest = longerLane(this.groups, lane)
    const dropped = longest?.waiting.pop()
    if (!longest || dropped === undefined) return null
    this.leave(longest, dropped)
    this.tidy(longest)
    return { dropped }
  }

  /** Removes a lane that has nothing. */
  tidy({ group, memberId, running, held, waiting }: Lane<Item>): void {
    if (running > 0 || held > 0 || waiting.length > 0) return
    group.lanes.delete(memberId)
    if (group.lanes.size === 0) this.groups.delete(group.workspaceId)
  }

  private leave(lane: Lane<Item>, item: Item): void {
    lane.group.waiting -= 1
    this.items.delete(item)
  }
}

/** What the owner has in all. Refusals that are held back count too: their clients come again. */
function inHand({ running, waiting, held }: Lane<unknown>): number {
  return running + waiting.length + held
}

function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key)
  map.set(key, value)
}

function laneWithRoom<Item>(group: Group<Item>, hasRoom: (lane: Lane<Item>) => boolean): Lane<Item> | null {
  let best: Lane<Item> | null = null
  for (const lane of group.lanes.values()) {
    if (lane.waiting.length > 0 && (!best || lane.running < best.running) && hasRoom(lane)) best = lane
  }
  return best
}

/** The longest lane of the workspace with the most waiting, or of its own; null if neither has more waiting than this one would have. */
function longerLane<Item>(groups: ReadonlyMap<string, Group<Item>>, { group: own, waiting }: Lane<Item>): Lane<Item> | null {
  let most = own
  for (const group of groups.values()) if (group.waiting > most.waiting) most = group
  if (most.waiting > own.waiting + 1) return longestLane(most)
  const longest = longestLane(own)
  return longest && longest.waiting.length > waiting.length + 1 ? longest : null
}

function longestLane<Item>({ lanes }: Group<Item>): Lane<Item> | null {
  let longest: Lane<Item> | null = null
  for (const lane of lanes.values()) if (!longest || lane.waiting.length > longest.waiting.length) longest = lane
  return longest
}

function hasMoreRunning<Item>(groups: ReadonlyMap<string, Group<Item>>, { running }: Lane<Item>): boolean {
  return groups.values().some(({ lanes }) => lanes.values().some((other) => other.running > running + 1))
}
