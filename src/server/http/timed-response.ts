import { type IncomingMessage, ServerResponse } from 'node:http'

/** A response that knows when it was complete. A listener for each response would cost more than this. */
export class TimedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** In `performance.now()` time; 0 until then. */
  endedAt = 0

  override end(...given: readonly unknown[]): this {
    if (this.endedAt === 0) this.endedAt = performance.now()
    // oxlint-disable-next-line typescript/unbound-method -- it is called with `this`, and with the arguments of whichever of its three forms
    Reflect.apply(super.end, this, given)
    return this
  }
}
