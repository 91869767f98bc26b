/** A message to all instances. `payload` is a short text, usually JSON that the subscribers of its topic parse; no secrets. */
export type Notification = {
  readonly topic: string
  readonly workspaceId: string
  readonly payload: string
  /** Ids of those whom it concerns: subscribers of others do not receive it. Without it, it concerns everybody. */
  readonly audience?: readonly string[] | undefined
}

/**
 * Notifications between instances: configuration changed, session ended, live events. Each instance, including the publisher's own,
 * receives a notification at most once, in the order of its publisher. A notification may be lost, so it may only make faster what would
 * be found without it; `onGap` reports that some may be missing.
 */
export interface Notifications {
  /**
   * Resolves when the notification is sent, or lost for other instances; this instance always receives it. Throws RangeError if the payload
   * is longer than 65,536 characters.
   */
  publish(notification: Notification): Promise<void>
  /**
   * Calls the listener for each notification of the topic until the result is disposed of; with an `audience`, only for those that concern one
   * of its ids or everybody. An error of the listener goes to the log.
   */
  subscribe(topic: string, listener: (notification: Notification) => void, audience?: readonly string[]): Disposable
  /** Called when notifications of other instances may have been missed: a cache that relies on notifications must be emptied then. */
  onGap(listener: () => void): Disposable
  close(): Promise<void>
}

const longestPayload = 65_536

export function assertShort({ topic, payload }: Notification): void {
  if (payload.length <= longestPayload) return
  throw new RangeError(`A notification of ${topic} has ${payload.length} characters; at most ${longestPayload} are allowed`)
}
