import type { Duplex } from 'node:stream'
import { FrameCount } from './frame-count.ts'

/** What a client may send on a socket until its token is accepted. A token has 8 kB at most. `pieces`: on the network. */
export const beforeToken = { bytes: 12_288, pieces: 32, frames: 16 }

/**
 * Calls `onExceeded` once, if the client sends more than `beforeToken` allows until the returned function is called. The library has one limit for all messages of all
 * sockets, and keeps each piece and frame of an unfinished message, whose bytes cost less than their bookkeeping. So they are counted on their way to it.
 */
export function limitBeforeToken(socket: Duplex, onExceeded: () => void): () => void {
  let [bytes, pieces] = [0, 0]
  const frames = new FrameCount()
  const count = (piece: Buffer): void => {
    bytes += piece.length
    pieces += 1
    if (bytes <= beforeToken.bytes && pieces <= beforeToken.pieces && frames.add(piece) <= beforeToken.frames) return
    end()
    onExceeded()
  }
  const end = (): void => void socket.off('data', count)
  socket.prependListener('data', count)
  return end
}

type Waiting = {
  /** It has shown no token yet. */
  readonly isSilent: boolean
  /** It is closed for a newer one. */
  makeRoom(): void
}

/** Sockets of this process whose tokens are not accepted yet, the oldest first. Beyond `most` the oldest silent one, else the oldest, is closed for a new one. */
export function createWaitingSockets(most: number) {
  const waiting = new Set<Waiting>()
  return {
    enter(one: Waiting): void {
      if (waiting.size >= most) {
        const leaving = waiting.values().find(({ isSilent }) => isSilent) ?? waiting.values().next().value
        if (leaving) waiting.delete(leaving)
        leaving?.makeRoom()
      }
      waiting.add(one)
    },
    leave: (one: Waiting): void => void waiting.delete(one),
  }
}
