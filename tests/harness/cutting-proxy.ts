import { request as ask } from 'node:http'
import { startUpstream } from './upstream.ts'

/** What stands between a visitor and the service, and breaks streams off. */
export type CuttingProxy = AsyncDisposable & {
  readonly url: string
  /** The next so many replies of the chat break off after this many bytes. */
  cutNext(replies: number, afterBytes: number): void
  /** The next reply stops after this many bytes, and its connection stands. */
  stallNext(afterBytes: number): void
  /** The bodies of the chat's requests, in order. */
  readonly chatRequests: readonly string[]
  /** How many replies of the chat have not ended. */
  openReplies(): number
}

export async function startCuttingProxy(targetUrl: string): Promise<CuttingProxy> {
  let plan = { replies: 0, afterBytes: 0, ends: true }
  const chatRequests: string[] = []
  let openReplies = 0
  const proxy = await startUpstream(({ path, headers, body }, response, { method }) => {
    const isChat = method === 'POST' && path === '/api/widget/chat'
    if (isChat) {
      chatRequests.push(body)
      openReplies += 1
      response.on('close', () => (openReplies -= 1))
    }
    const isCut = isChat && plan.replies > 0
    if (isCut) plan = { ...plan, replies: plan.replies - 1 }
    const { ends } = plan
    let left = isCut ? plan.afterBytes : Number.POSITIVE_INFINITY
    const forwarded = ask(targetUrl + path, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('data', (chunk: Buffer) => {
        response.write(chunk.subarray(0, Math.max(0, left)))
        left -= chunk.length
        if (left > 0 || !ends) return
        // What was written is on its way before the connection breaks.
        setImmediate(() => response.destroy())
        forwarded.destroy()
      })
      answer.on('end', () => left > 0 && response.end())
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    forwarded.end(body)
  })
  return {
    url: proxy.url,
    chatRequests,
    openReplies: () => openReplies,
    cutNext: (replies, afterBytes) => void (plan = { replies, afterBytes, ends: true }),
    stallNext: (afterBytes) => void (plan = { replies: 1, afterBytes, ends: false }),
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}
