import { createStore } from '../data/store.ts'

/** LOST: at least one stream is interrupted, or the browser is offline. */
export type ConnectionState = { readonly isLost: boolean; readonly since: number }

const state = createStore<ConnectionState>({ isLost: false, since: Date.now() })
const interrupted = new Set<object>()

function update(): void {
  const isLost = interrupted.size > 0 || !navigator.onLine
  if (isLost !== state.get().isLost) state.set({ isLost, since: Date.now() })
}
for (const event of ['online', 'offline']) addEventListener(event, update)

/** Whether the page is in touch with the service. The streams of live data report it. */
export const connection = {
  get: state.get,
  subscribe: state.subscribe,
  /** A stream begins: it reports its state until it ends. */
  follow() {
    const stream = {}
    return {
      set(streamState: 'OPEN' | 'INTERRUPTED'): void {
        if (streamState === 'OPEN') interrupted.delete(stream)
        else interrupted.add(stream)
        update()
      },
      end(): void {
        interrupted.delete(stream)
        update()
      },
    }
  },
}
