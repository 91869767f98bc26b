import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'
import { systemClock } from '../../../kernel/clock.ts'

const checkAgainMs = 10

/**
 * kafkajs 2.2.4 (its last version) checks for pending requests all the time, even if there are none, and sets its timer to a large
 * negative time: Node makes that one millisecond and, since version 24, warns about it. So an idle client wakes hundreds of times a second
 * (github.com/tulios/kafkajs issues 1704 and 1751; 1556, 1604). This version checks only if requests are pending, and not before the
 * broker's pause is over. It always sets the timer then: without it a connection whose pause has just ended hangs (pull request 1532).
 */
export function repairRequestQueue(): void {
  RequestQueue.prototype.scheduleCheckPendingRequests = function scheduleCheckPendingRequests(this: RequestQueue): void {
    if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return
    const pauseMs = this.throttledUntil - systemClock.now()
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null
        this.checkPendingRequests()
      },
      Math.max(pauseMs, checkAgainMs),
    )
  }
}
