import { ForksPoolWorker, type PoolOptions, type PoolRunnerInitializer, type WorkerRequest } from 'vitest/node'

/**
 * Files that one process runs, one after the other. They share its modules, which take a second of each process to load. A file's own
 * variables stay in memory until its process ends: 20 to 80 MB of a whole service and its stand-ins.
 */
const filesPerProcess = 12

class SharedProcess extends ForksPoolWorker {
  override readonly name = 'shared-processes'
  #files = 0

  override send(message: WorkerRequest): void {
    if (message.type === 'run') this.#files += 1
    super.send(message)
  }

  canReuse(): boolean {
    return this.#files < filesPerProcess
  }
}

/** Vitest's processes, each for some files. */
export const sharedProcesses: PoolRunnerInitializer = {
  name: 'shared-processes',
  createPoolWorker: (options: PoolOptions) => new SharedProcess(options),
}
