import { AppError } from '../../../kernel/errors.ts'
import { FairQueue, type Lane, type Owner } from '../../../kernel/fair-queue.ts'
import type { Log } from '../../../kernel/log.ts'
import type { LoopReading } from '../../../kernel/loop-watch.ts'
import { type Admission, createAdmission, queueDelay } from '../../http/admission.ts'
import { burst, createCrowding } from '../../http/crowding.ts'

export type Entering = {
  readonly kind: 'operation' | 'stream'
  readonly owner: Owner
  /** Called now, or when the worker has time for it. */
  readonly begin: () => void
  /** Called if it waits and there is no room for it any more. */
  readonly refuse: () => void
}

/** The place of an operation that has entered. */
export type Place = Entering & { readonly since: number; isWaiting: boolean }

/** How much the worker has to do. It can have more than it can answer while the service itself has time left. */
export type WorkerLoad = {
  /**
   * Begins the operation, or lets it wait until others of its owner are over. Throws OVERLOADED if the worker has too much to do, and nobody has more waiting
   * than this owner. During an overload a stream begins only at the cost of another operation; those that run count for nothing.
   */
  enter(entering: Entering): Place
  /** The operation is over, whether it has begun or waits. Once for each place. */
  leave(place: Place): void
  /** Ten times a second while operations run: what the worker's event loop does. */
  check(reading: LoopReading): void
}

/** More at once than this are refused, whatever the load is: each holds memory. */
const mostInHand = 1_000

/** So many are no overload: they may wait for a schema that is built. */
const fewOperations = 32

/** `maxDelayMs`: operations are refused if the worker's event loop is later than this, and owners have limits at a fifth of it; 0: never. */
export function createWorkerLoad(maxDelayMs: number, log: Log): WorkerLoad {
  const queue = new FairQueue<Place>()
  const crowding = createCrowding(maxDelayMs)
  let streams = 0
  const admission = createWorkerAdmission(maxDelayMs, log)
  const waitMs = (): number => performance.now() - (queue.oldest()?.since ?? performance.now())
  const beginNext = (): void => {
    for (let next = queue.next(crowding.shares); next; next = queue.next(crowding.shares)) {
      next.item.isWaiting = false
      next.item.begin()
    }
  }
  const admit = (kind: Entering['kind'], lane: Lane<Place>): void => {
    const isModest = queue.isModest(lane, crowding.shares)
    const isAdmitted = admission.isCalm({ length: queue.length, waitMs }) || (kind === 'operation' && admission.admits(isModest))
    if (isAdmitted && queue.running + queue.length + streams < mostInHand) return
    const room = queue.makeRoom(lane)
    if (room) return room.dropped?.refuse()
    queue.tidy(lane)
    admission.refuse()
    throw overloaded()
  }

  return {
    enter(entering) {
      const lane = queue.laneOf(entering.owner)
      admit(entering.kind, lane)
      if (queue.running >= burst) crowding.begin()
      const isStream = entering.kind === 'stream'
      const place = { ...entering, since: performance.now(), isWaiting: !isStream && !queue.hasRoom(lane, crowding.shares) }
      if (isStream) {
        streams += 1
        queue.tidy(lane)
      } else {
        admission.begin()
        if (place.isWaiting) queue.wait(lane, place)
        else queue.begin(lane)
      }
      if (!place.isWaiting) place.begin()
      return place
    },
    leave(place) {
      if (place.kind === 'stream') return void (streams -= 1)
      const lane = queue.laneOf(place.owner)
      admission.end()
      if (place.isWaiting) return queue.remove(lane, place)
      queue.end(lane)
      beginNext()
    },
    check(reading) {
      crowding.check(reading, { underWay: queue.running, waiting: queue.length, held: 0 })
      const delayMs = Math.max(reading.delayMs, queueDelay({ length: queue.length, waitMs }))
      admission.check(queue.running + queue.length, { ...reading, delayMs })
      beginNext()
    },
  }
}

function createWorkerAdmission(maxDelayMs: number, log: Log): Admission {
  return createAdmission({
    maxDelayMs,
    isLoad: ({ underWay }) => underWay > fewOperations,
    onBegan: (figures) => log.warn(figures, 'stitching.overload-began'),
    onOver: () => log.info('stitching.overload-over'),
  })
}

export function overloaded(): AppError {
  return new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
}
