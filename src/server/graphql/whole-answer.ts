import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { EndCause, HttpContext } from '../http/http-context.ts'
import { answerTooLarge, maxWholeAnswerBytes } from './invalid-answer.ts'
import { AnswerHandler, type Upstream, type UpstreamRequest } from './upstream.ts'

export type UpstreamAnswer = { readonly status: number; readonly contentType: string; readonly body: Buffer }

/** Reads the platform's whole answer: to merge it with ours, or to learn whether credentials were right. */
export function readAnswer(upstream: Upstream, request: UpstreamRequest, ctx: HttpContext): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => upstream.dispatch(request, new WholeAnswer({ ctx, resolve, reject })))
}

type Settle = {
  readonly ctx: HttpContext
  readonly resolve: (answer: UpstreamAnswer) => void
  readonly reject: (error: Error) => void
}

class WholeAnswer extends AnswerHandler {
  private readonly settle: Settle
  private status = 0
  private contentType = ''
  private readonly chunks: Buffer[] = []
  private size = 0
  private readonly leave = (cause: EndCause): void => this.abort(cause)

  constructor(settle: Settle) {
    super(settle.ctx)
    this.settle = settle
    // The client may wait for more than one answer.
    settle.ctx.onAbort(this.leave)
  }

  protected begin(status: number, headers: IncomingHttpHeaders): void {
    this.status = status
    this.contentType = headers['content-type'] ?? ''
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length
    if (this.size > maxWholeAnswerBytes) controller.abort(answerTooLarge())
    else this.chunks.push(chunk)
  }

  protected finish(): void {
    this.ctx.offAbort(this.leave)
    const [only] = this.chunks
    const body = only && this.chunks.length === 1 ? only : Buffer.concat(this.chunks, this.size)
    this.settle.resolve({ status: this.status, contentType: this.contentType, body })
  }

  protected fail(error: Error): void {
    this.ctx.offAbort(this.leave)
    this.settle.reject(error)
  }
}
