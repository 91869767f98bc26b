/** Runs a step once for all who ask for the same at the same time; who comes after it has ended has it run anew. */
export type SharedSteps<T> = (name: string, step: () => Promise<T>) => Promise<T>

export function createSharedSteps<T>(): SharedSteps<T> {
  const underWay = new Map<string, Promise<T>>()
  return (name, step) => {
    const known = underWay.get(name)
    if (known) return known
    const running = step().finally(() => underWay.delete(name))
    underWay.set(name, running)
    return running
  }
}
