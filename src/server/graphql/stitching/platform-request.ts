import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher, Pool } from 'undici'

/** One request of a stitched operation to the platform. */
export type PlatformRequest = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Aborts the request. */
  readonly signal: AbortSignal
  /** For the whole answer. */
  readonly deadlineMs: number
  readonly onStatus: (status: number) => void
}

/** The platform's answer, with any status. Rejects with the reason of the signal, a `TimeoutError`, or undici's error. */
export function requestPlatform(pool: Pool, request: PlatformRequest): Promise<Buffer> {
  if (request.signal.aborted) return Promise.reject(abortReason(request.signal))
  return new Promise((resolve, reject) => {
    const { path, headers, body } = request
    pool.dispatch({ path, method: 'POST', headers, body }, new WholeBody({ ...request, resolve, reject }))
  })
}

type Asked = Pick<PlatformRequest, 'signal' | 'deadlineMs' | 'onStatus'> & {
  readonly resolve: (body: Buffer) => void
  readonly reject: (error: Error) => void
}

/** Without undici's readable stream: answers are small, and the client waits for them. */
class WholeBody implements Dispatcher.DispatchHandler {
  private readonly asked: Asked
  private readonly chunks: Buffer[] = []
  private readonly timer: NodeJS.Timeout
  private readonly onAbort = (): void => this.end(abortReason(this.asked.signal))
  private controller: Dispatcher.DispatchController | null = null
  private ended: Error | null = null

  constructor(asked: Asked) {
    this.asked = asked
    this.timer = setTimeout(() => this.end(new DOMException('The platform took too long', 'TimeoutError')), asked.deadlineMs)
    asked.signal.addEventListener('abort', this.onAbort, { once: true })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Nothing is sent yet: an error leaves the connection open, where an abort would close it.
    if (this.ended) throw this.ended
    this.controller = controller
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, _headers: IncomingHttpHeaders): void {
    if (status >= 200) this.asked.onStatus(status)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.release()
    const [only] = this.chunks
    this.asked.resolve(only && this.chunks.length === 1 ? only : Buffer.concat(this.chunks))
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.release()
    this.asked.reject(this.ended ?? error)
  }

  /** The caller need not wait until a request in the pool's queue has its turn. */
  private end(reason: Error): void {
    this.ended = reason
    this.release()
    this.controller?.abort(reason)
    this.asked.reject(reason)
  }

  private release(): void {
    clearTimeout(this.timer)
    this.asked.signal.removeEventListener('abort', this.onAbort)
  }
}

function abortReason({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new DOMException('The request was aborted', 'AbortError')
}
