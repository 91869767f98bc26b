import type { IncomingMessage } from 'node:http'
import { FairQueue, type Lane } from '../../kernel/fair-queue.ts'
import type { LoopReading } from '../../kernel/loop-watch.ts'
import { burst, type Crowding } from './crowding.ts'
import type { Owners } from './owner.ts'
import { createSlot } from './slot.ts'
import type { TimedResponse } from './timed-response.ts'

/** A request that has arrived and not begun. `refuse`: there is no room for it any more. */
export type Arrived = {
  readonly request: IncomingMessage
  readonly response: TimedResponse
  readonly begin: () => void
  readonly refuse: () => void
}

/** For the requests of one round. A single one can take longer. */
const roundMs = 5
/** From the queue in one round: what they do goes on when they have begun, so that their time cannot be measured here. */
const fromQueue = 14

/** A shift of a thousand agents may begin at once. Each that waits holds memory. */
const mostWaiting = 1_000

/** Refusals of one owner between two checks that are sent at once: a hundred agents behind one address cause fewer. */
const mostRefused = 50
/** Refusals that are held back. Each holds memory. */
const mostHeld = 1_000

type Waiting = Arrived & { readonly since: number }

/**
 * Where requests wait for a round of the event loop, or until others of their owner have their answer. Beginning a request costs processor time. If hundreds
 * arrive at once, they begin in several rounds, so that what arrives behind them, a refusal, a heartbeat or a health check, does not wait for all of them.
 * They begin in turn, by workspace, then by member.
 */
export class BeginQueue {
  private readonly crowding: Crowding
  private readonly owners: Pick<Owners, 'of'>
  private readonly waiting = new FairQueue<Waiting>()
  private held = 0
  /** By owner, since the last check. Cleared so often that its size needs no other bound. */
  private readonly refusals = new Map<string, number>()
  /** Without limits, since the last check. */
  private begunFreely = 0
  private readonly onCrowded: () => void
  private roundEndsAt: number | null = null
  /** One waits that may begin. */
  private isBehind = false

  /** `onCrowded`: limits have begun, and those that began before are to be counted. */
  constructor(crowding: Crowding, owners: Pick<Owners, 'of'>, onCrowded: () => void) {
    this.crowding = crowding
    this.owners = owners
    this.onCrowded = onCrowded
  }

  /** Requests that wait. */
  get length(): number {
    return this.waiting.length
  }

  /** How much one owner may have under way; infinite if there is no limit. */
  get perMember(): number {
    return this.crowding.shares.perMember
  }

  /** A request may have to wait. */
  get isBusy(): boolean {
    return this.waiting.length > 0 || this.crowding.isCrowded
  }

  /**
   * How long the first of those that may begin has waited, milliseconds; 0 if none waits. Who waits because of the own share waits for nobody else, and counts only if
   * very many do.
   */
  waitMs(): number {
    const oldest = this.waiting.oldest()
    if (oldest && this.length > mostWaiting) return performance.now() - oldest.since
    if (!this.isBehind) return 0
    let since = performance.now()
    for (const first of this.waiting.allowed(this.crowding.shares)) since = Math.min(since, first.since)
    return performance.now() - since
  }

  /** Calls `begin` now, or in a later round of the event loop if this round has begun enough, or if its owner has its share under way. */
  add(arrived: Arrived): void {
    const now = performance.now()
    this.roundEndsAt ??= this.startRound(now)
    const isFree = !this.isBehind && now < this.roundEndsAt
    if (isFree && !this.crowding.isCrowded) return this.beginFreely(arrived)
    const lane = this.waiting.laneOf(this.owners.of(arrived.request))
    const hasRoom = this.waiting.hasRoom(lane, this.crowding.shares)
    if (isFree && hasRoom) {
      this.waiting.begin(lane)
      return this.beginIn(lane, arrived)
    }
    this.waiting.wait(lane, { ...arrived, since: now })
    this.isBehind ||= hasRoom
  }

  /** Makes room for a request of this client by refusing one that waits, of somebody who has more. False if nobody has. */
  makeRoom(request: IncomingMessage): boolean {
    const lane = this.waiting.laneOf(this.owners.of(request))
    const room = this.waiting.makeRoom(lane)
    this.waiting.tidy(lane)
    room?.dropped?.refuse()
    return room !== null
  }

  /** Whether this client has so few requests in all that no limit is meant for it. */
  isModest(request: IncomingMessage): boolean {
    const lane = this.waiting.laneOf(this.owners.of(request))
    this.waiting.tidy(lane)
    return this.waiting.isModest(lane, this.crowding.shares)
  }

  /** Counts a request that has begun without the queue. */
  count(request: IncomingMessage, response: TimedResponse): void {
    if (response.slot || response.writableFinished) return
    const lane = this.waiting.laneOf(this.owners.of(request))
    this.waiting.begin(lane)
    this.occupy(lane, { request, response })
  }

  /**
   * Counts a refusal, which is sent at once. If the client has had many in this tenth of a second it is held back until the returned function is called; if too many
   * are held back, it is not sent.
   */
  hold(request: IncomingMessage): (() => void) | 'SEND' | 'NEVER_SEND' {
    const owner = this.owners.of(request)
    const name = `${owner.workspaceId} ${owner.memberId}`
    const count = (this.refusals.get(name) ?? 0) + 1
    this.refusals.set(name, count)
    if (count <= mostRefused) return 'SEND'
    if (this.held >= mostHeld) return 'NEVER_SEND'
    const lane = this.waiting.laneOf(owner)
    this.held += 1
    lane.held += 1
    return () => {
      this.held -= 1
      lane.held -= 1
      this.waiting.tidy(lane)
    }
  }

  /** Ten times a second. `underWay`: requests without an answer that have begun. */
  check(reading: LoopReading, underWay: number): void {
    this.refusals.clear()
    this.begunFreely = 0
    this.limit(() => this.crowding.check(reading, { underWay, waiting: this.waiting.length, held: this.held }))
    this.goOn()
  }

  private beginFreely(arrived: Arrived): void {
    this.countFree()
    arrived.begin()
  }

  /** Before the one that makes too many begins, because that one counts too. */
  private countFree(): void {
    if (this.crowding.isCrowded) return
    this.begunFreely += 1
    if (this.begunFreely > burst) this.limit(() => this.crowding.begin())
  }

  private limit(adapt: () => void): void {
    const wasCrowded = this.crowding.isCrowded
    adapt()
    if (this.crowding.isCrowded && !wasCrowded) this.onCrowded()
  }

  private beginIn(lane: Lane<Waiting>, arrived: Arrived): void {
    this.occupy(lane, arrived)
    arrived.begin()
  }

  /** Its lane has counted it. */
  private occupy(lane: Lane<Waiting>, { request, response }: Pick<Arrived, 'request' | 'response'>): void {
    const { waiting } = this
    const owner = { workspaceId: lane.group.workspaceId, memberId: lane.memberId }
    const leave = (): void => {
      waiting.end(waiting.laneOf(owner))
      this.goOn()
    }
    // Its client has left, and nothing will report it.
    if (request.socket.destroyed) return leave()
    response.slot = createSlot({ enter: () => waiting.begin(waiting.laneOf(owner)), leave })
    response.once('close', response.slot.end)
  }

  private goOn(): void {
    if (this.waiting.length === 0) return
    this.isBehind = true
    this.roundEndsAt ??= this.startRound(performance.now())
  }

  private startRound(now: number): number {
    setImmediate(() => this.endRound())
    return now + roundMs
  }

  private endRound(): void {
    this.roundEndsAt = null
    if (!this.isBehind) return
    this.roundEndsAt = this.startRound(performance.now())
    for (let begun = 0; begun < fromQueue; begun += 1) {
      this.countFree()
      const next = this.waiting.next(this.crowding.shares)
      this.isBehind = next !== null
      if (!next) return
      this.beginIn(next.lane, next.item)
    }
  }
}
