/** A request's body of which a part has come. */
export type IncompleteBody = {
  /** Refuses the request. */
  giveWay(): void
}

/**
 * Counts what incomplete bodies hold in memory. Beyond `mostBytes` the one that began first gives way: who sends at a usual speed is done long before
 * a client that keeps its request open on purpose. One alone may be larger.
 */
export class IncompleteBodies {
  private readonly mostBytes: number
  /** In the order in which they began. */
  private readonly bytesOf = new Map<IncompleteBody, number>()
  private total = 0

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes
  }

  /** The body holds so many bytes now. */
  note(body: IncompleteBody, bytes: number): void {
    this.total += bytes - (this.bytesOf.get(body) ?? 0)
    this.bytesOf.set(body, bytes)
    for (const oldest of this.bytesOf.keys()) {
      if (this.total <= this.mostBytes || this.bytesOf.size === 1) return
      this.remove(oldest)
      oldest.giveWay()
    }
  }

  /** It is complete, or its request is over. */
  remove(body: IncompleteBody): void {
    this.total -= this.bytesOf.get(body) ?? 0
    this.bytesOf.delete(body)
  }
}

/** One for the process, because it has one memory. */
export const incompleteBodies = new IncompleteBodies(64 * 1_048_576)
