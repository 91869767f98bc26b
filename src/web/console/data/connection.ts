import { createStore } from '../state/store.ts'

/** LOST: at least one stream is interrupted, or the browser is offline. TOO_MANY: the member has too many streams, in this tab and others. */
type Problem = 'LOST' | 'TOO_MANY'
/** `problem`: null while all is well. */
type ConnectionState = { readonly problem: Problem | null; readonly since: number }

const state = createStore<ConnectionState>({ problem: null, since: Date.now() })
const interrupted = new Map<object, Problem>()

function update(): void {
  const problems = [...interrupted.values()]
  const isLost = problems.includes('LOST') || !navigator.onLine
  const problem = isLost ? 'LOST' : (problems[0] ?? null)
  if (problem !== state.get().problem) state.set({ problem, since: Date.now() })
}
for (const event of ['online', 'offline']) addEventListener(event, update)

/** Whether the page is in touch with the service. The streams of live data report it. */
export const connection = {
  get: state.get,
  subscribe: state.subscribe,
  /** A stream begins: it reports when it is interrupted. */
  follow() {
    const stream = {}
    return {
      interrupt(problem: Problem): void {
        interrupted.set(stream, problem)
        update()
      },
      /** It is open again, or has ended. */
      mend(): void {
        interrupted.delete(stream)
        update()
      },
    }
  },
}
