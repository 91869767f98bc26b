declare module 'kafkajs/src/network/requestQueue/index.js' {
  /** The requests of one connection: the parts that `request-queue.ts` repairs. */
  export default class RequestQueue {
    pending: readonly unknown[]
    /** Epoch milliseconds; -1 if the broker asked for no pause. */
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
