/** What a request that is under way takes of its owner's share, until its answer is over. */
export type Slot = {
  /** It waits on purpose, and makes no work meanwhile. */
  leave(): void
  /** It goes on. */
  enter(): void
  /** It is over, or a stream that lasts. */
  readonly end: () => void
}

export function createSlot(share: { readonly enter: () => void; readonly leave: () => void }): Slot {
  let state: 'taken' | 'left' | 'over' = 'taken'
  return {
    leave() {
      if (state !== 'taken') return
      state = 'left'
      share.leave()
    },
    enter() {
      if (state !== 'left') return
      state = 'taken'
      share.enter()
    },
    end() {
      if (state === 'taken') share.leave()
      state = 'over'
    },
  }
}
