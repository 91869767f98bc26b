import { Duplex } from 'node:stream'

/**
 * Two streams in the process: what is written to one is read from the other. Other than with Node's `duplexPair`, a write is done at once unless the
 * reader is behind, so that what was written before a side is destroyed is still read.
 */
export function createStreamPair(): readonly [Duplex, Duplex] {
  const near = new Side()
  const far = new Side()
  near.peer = far
  far.peer = near
  return [near, far]
}

class Side extends Duplex {
  peer: Side | null = null
  private onRead: (() => void) | null = null

  override _read(): void {
    const { onRead } = this
    this.onRead = null
    onRead?.()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const { peer } = this
    if (!peer || peer.push(chunk)) done()
    else peer.onRead = done
  }

  override _final(done: () => void): void {
    this.peer?.push(null)
    done()
  }

  /** The peer reads to the end; then it ends, too. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.peer?.push(null)
    done(error)
  }
}
