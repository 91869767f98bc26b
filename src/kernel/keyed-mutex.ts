/** Runs the steps of one name after the other, whatever becomes of each; steps of different names at the same time. */
export type Turns = <T>(name: string, step: () => Promise<T>) => Promise<T>

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return (name, step) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(step, step)
    last.set(name, turn)
    const leave = (): void => void (last.get(name) === turn && last.delete(name))
    turn.then(leave, leave)
    return turn
  }
}
