import { FairQueue, type Lane, type Owner, unlimited } from '../../../kernel/fair-queue.ts'
import { abortError, type HttpContext } from '../../http/http-context.ts'
import { isUnconfirmed } from '../../http/owner.ts'

/** The platform answers each in tens of milliseconds, so that a shift behind one address is through in a few seconds. */
const most = { ofNetwork: 8, ofAll: 32 }
const shares = { ...unlimited, perMember: most.ofNetwork }

/**
 * Questions to the platform about the tokens of sockets. Those of nobody known are asked some at a time, by network in turn: sockets with garbage delay neither
 * the platform nor the sockets of members who are known.
 */
export class TokenQuestions {
  private readonly queue = new FairQueue<() => void>()

  /** Calls `ask` now, or in its turn. Rejects if the client leaves before. */
  async run(ask: () => Promise<void>, { owner, ctx }: { readonly owner: Owner; readonly ctx: HttpContext }): Promise<void> {
    if (!isUnconfirmed(owner)) return ask()
    const lane = this.queue.laneOf(owner)
    if (this.queue.running < most.ofAll && this.queue.hasRoom(lane, shares)) this.queue.begin(lane)
    else await this.waitToBegin(lane, ctx)
    try {
      await ask()
    } finally {
      this.queue.end(lane)
      this.queue.next(shares)?.item()
    }
  }

  private waitToBegin(lane: Lane<() => void>, ctx: HttpContext): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let isWaiting = true
    const begin = (): void => {
      isWaiting = false
      resolve()
    }
    this.queue.wait(lane, begin)
    ctx.onAbort((cause) => {
      // Its lane may be another's by then.
      if (isWaiting) this.queue.remove(lane, begin)
      reject(abortError(cause))
    })
    return promise
  }
}
