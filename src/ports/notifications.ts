/** A piece of news for all instances. `payload` is a short text, usually JSON that its topic's subscribers parse; no secrets. */
export type Notification = { readonly topic: string; readonly workspaceId: string; readonly payload: string }

/**
 * Update between instances: configuration changed, session ended, live events. Each instance, the publisher's own too, hears a notice
 * at most once, in the order in which its publisher sent it. A notice may be lost, so it only makes faster what would also be found
 * without it; `onGap` says when some were.
 */
export interface Notifications {
  /** Resolves when the notice is on its way or lost (for other instances; this one always hears it). Throws only for one above 64 KiB. */
  publish(notice: Notification): Promise<void>
  /** The listener is called for each notice of the topic until disposed of; what it throws goes to the log. */
  subscribe(topic: string, listener: (notice: Notification) => void): Disposable
  /** Called after notices of other instances may have been missed: whoever keeps things on the word of notices drops them then. */
  onGap(listener: () => void): Disposable
  close(): Promise<void>
}

const longestPayload = 65_536

export function assertShort(notice: Notification): void {
  if (notice.payload.length > longestPayload) {
    throw new RangeError(`A notice of ${notice.topic} has ${notice.payload.length} characters; at most ${longestPayload} are allowed`)
  }
}
