import type { SubscribePayload } from 'graphql-ws'

/**
 * The operations of each socket that are under way, by their payloads, of which each is an object of its own. The library knows them by their ids, and loses one
 * whose id was used before by an operation that ends later.
 */
export class UnderWay<Socket extends object> {
  private readonly bySocket = new WeakMap<Socket, Map<SubscribePayload, AsyncIterable<unknown>>>()

  /** Returns the answers. */
  begin<Answers extends AsyncIterable<unknown>>(socket: Socket, payload: SubscribePayload, answers: Answers): Answers {
    const operations = this.bySocket.get(socket) ?? new Map<SubscribePayload, AsyncIterable<unknown>>()
    this.bySocket.set(socket, operations.set(payload, answers))
    return answers
  }

  complete(socket: Socket, payload: SubscribePayload): void {
    this.bySocket.get(socket)?.delete(payload)
  }

  /** The socket is closed. */
  endAll(socket: Socket): void {
    for (const answers of this.bySocket.get(socket)?.values() ?? []) void answers[Symbol.asyncIterator]().return?.()
  }
}
