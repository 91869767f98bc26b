/** Runs the steps of one key one after another, also if a step fails. Steps of different keys run at the same time. In this process only. */
export type KeyedMutex = {
  run<T>(key: string, step: () => Promise<T>): Promise<T>
  /** The number of steps of the key that run or wait. */
  pending(key: string): number
}

export function createKeyedMutex(): KeyedMutex {
  const queues = new Map<string, { last: Promise<unknown>; pending: number }>()
  return {
    run(key, step) {
      const queue = queues.get(key) ?? { last: Promise.resolve(), pending: 0 }
      queues.set(key, queue)
      queue.pending += 1
      const running = queue.last.then(step, step)
      const leave = (): void => {
        queue.pending -= 1
        if (queue.pending === 0) queues.delete(key)
      }
      queue.last = running.then(leave, leave)
      return running
    },
    pending: (key) => queues.get(key)?.pending ?? 0,
  }
}
