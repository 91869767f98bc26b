/** Counts the frames that a client has begun (RFC 6455, section 5.2), from what comes on the network. */
export class FrameCount {
  private begun = 0
  /** The bytes of the header that have come, as far as the length. */
  private header: number[] = []
  /** Of the mask and the payload that are still to come. */
  private rest = 0

  /** The frames so far, with those that begin in this piece. */
  add(piece: Buffer): number {
    for (let at = 0; at < piece.length;) {
      const skipped = Math.min(this.rest, piece.length - at)
      this.rest -= skipped
      at += skipped
      const byte = piece[at]
      if (byte === undefined) break
      this.take(byte)
      at += 1
    }
    return this.begun
  }

  private take(byte: number): void {
    const { header } = this
    if (header.push(byte) === 1) this.begun += 1
    const [, second = 0, ...longLength] = header
    const length = second & 0x7f
    const lengthBytes = length === 127 ? 8 : length === 126 ? 2 : 0
    if (header.length < 2 + lengthBytes) return
    const payload = lengthBytes === 0 ? length : longLength.reduce((sum, part) => sum * 256 + part, 0)
    const isMasked = (second & 0x80) !== 0
    this.rest = payload + (isMasked ? 4 : 0)
    this.header = []
  }
}
