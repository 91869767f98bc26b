declare module 'kafkajs/src/network/requestQueue/index.js' {
  /** The requests of one connection, as far as `request-queue.ts` repairs it. */
  export default class RequestQueue {
    pending: readonly unknown[]
    /** Epoch milliseconds; -1 where the broker has asked for no pause. */
    throttledUntil: number
    throttleCheckTimeoutId: NodeJS.Timeout | null
    constructor(options: {
      maxInFlightRequests: number
      requestTimeout: number
      clientId: string
      broker: string
      logger: { namespace(): { debug(message: string): void } }
      isConnected(): boolean
    })
    checkPendingRequests(): void
    scheduleCheckPendingRequests(): void
  }
}
