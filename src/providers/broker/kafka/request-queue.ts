import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'
import { systemClock } from '../../../kernel/clock.ts'

const lookAgainMs = 10

/**
 * kafkajs 2.2.4 (its last version) looks for waiting requests for ever, whether there are any or not, and asks for the next look in
 * minus 1.7 thousand milliards of milliseconds: Node makes that one millisecond and, since version 24, warns of it. So an idle client
 * wakes hundreds of times a second (github.com/tulios/kafkajs issues 1704 and 1751; 1556, 1604). Here it looks where something waits, and
 * no earlier than the broker's pause is over. The timer is always set then: without it a connection whose pause ended just now hangs
 * (pull request 1532).
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
      Math.max(pauseMs, lookAgainMs),
    )
  }
}
