import { AppError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import type { LoopReading } from '../../../kernel/loop-watch.ts'
import { createAdmission } from '../../http/admission.ts'

type Kind = 'operation' | 'stream'

/** How much the worker has to do. It can have more than it can answer while the service itself has time left. */
export type WorkerLoad = {
  /** Throws OVERLOADED if the worker has too much to do. During an overload no stream begins; those that run count for nothing. */
  enter(kind: Kind): void
  leave(kind: Kind): void
  /** Ten times a second while operations run: what the worker's event loop does. */
  check(reading: LoopReading): void
}

/** More at once than this are refused, whatever the load is: each holds memory in the worker. */
const maxRunning = 1_000

/** So many are no overload: they may wait for a schema that is built. */
const fewOperations = 32

/** `maxDelayMs`: operations are refused if the worker's event loop is later than this; 0: never. */
export function createWorkerLoad(maxDelayMs: number, log: Log): WorkerLoad {
  const running = { operation: 0, stream: 0 }
  const admission = createAdmission({
    maxDelayMs,
    isLoad: ({ underWay }) => underWay > fewOperations,
    onBegan: (figures) => log.warn(figures, 'stitching.overload-began'),
    onOver: () => log.info('stitching.overload-over'),
  })
  return {
    enter(kind) {
      const isAdmitted = admission.isCalm() || (kind === 'operation' && admission.admits())
      if (!isAdmitted) admission.refuse()
      if (!isAdmitted || running.operation + running.stream >= maxRunning) throw overloaded()
      running[kind] += 1
      if (kind === 'operation') admission.begin()
    },
    leave(kind) {
      running[kind] -= 1
      if (kind === 'operation') admission.end()
    },
    check: (reading) => admission.check(running.operation, reading),
  }
}

export function overloaded(): AppError {
  return new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
}
