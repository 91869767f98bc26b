import { LRUCache } from 'lru-cache'
import { type Board, type BoardDeps, type BoardView, createBoard } from './daily-stats.ts'

/** The boards that somebody looks at; one that nobody looked at for half an hour is put away. */
export interface Boards {
  /** Errors: STORE_UNAVAILABLE. */
  read(workspaceId: string, timeZone: string): Promise<BoardView>
  /** Workspaces whose board somebody looked at lately. */
  watched(): readonly string[]
}

const idleForMs = 30 * 60_000
/** Some megabytes each, at 10,000 calls a day. */
const mostBoards = 50

/** Payload: nothing. Calls were added that nobody heard of one by one. */
export const daysCallsTopic = 'supervision.calls-added'

export function createBoards(deps: BoardDeps): Boards & Disposable {
  const boards = new LRUCache<string, Board>({
    max: mostBoards,
    ttl: idleForMs,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: (board) => board[Symbol.dispose](),
  })
  const listening = deps.notifications.subscribe(daysCallsTopic, ({ workspaceId }) => boards.peek(workspaceId)?.invalidate())
  return {
    async read(workspaceId, timeZone) {
      const known = boards.get(workspaceId)
      if (known) return known.read(timeZone)
      const board = createBoard(workspaceId, deps)
      boards.set(workspaceId, board)
      return board.read(timeZone)
    },
    watched: () => [...boards.keys()],
    [Symbol.dispose]() {
      listening[Symbol.dispose]()
      boards.clear()
    },
  }
}
