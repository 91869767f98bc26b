import { Agent, request } from 'undici'

/** One request of a load. `isRight`: whether the answer is what it should be. */
export type Asked = {
  readonly kind: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly isRight: (status: number, text: string) => boolean
  /** Called with a right answer. */
  readonly onRight?: () => void
}

/** A request that failed: `status` 0 where it got no answer. */
export type Failure = { readonly kind: string; readonly at: number; readonly status: number; readonly text: string }

export type Load = {
  readonly failures: readonly Failure[]
  readonly tookMs: readonly number[]
  /** No more requests; resolves when the last one has its answer. */
  stop(): Promise<void>
}

const patienceMs = 30_000

/** Sends so many requests a second, whatever the answers take, over connections that it keeps open. */
export function startLoad(url: string, perSecond: number, next: () => Asked): Load {
  const agent = new Agent({ connections: 500 })
  const failures: Failure[] = []
  const tookMs: number[] = []
  const underWay = new Set<Promise<void>>()
  const send = async ({ kind, path, isRight, onRight, ...asked }: Asked): Promise<void> => {
    const at = performance.now()
    try {
      const answer = await request(url + path, { ...asked, dispatcher: agent, signal: AbortSignal.timeout(patienceMs) })
      const text = await answer.body.text()
      tookMs.push(performance.now() - at)
      if (isRight(answer.statusCode, text)) onRight?.()
      else failures.push({ kind, at, status: answer.statusCode, text: text.slice(0, 300) })
    } catch (error) {
      failures.push({ kind, at, status: 0, text: String(error) })
    }
  }
  const startedAt = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) * perSecond) / 1_000
    for (; sent < due; sent += 1) {
      const sending = send(next()).finally(() => underWay.delete(sending))
      underWay.add(sending)
    }
  }, 5)
  return {
    failures,
    tookMs,
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
      await agent.destroy()
    },
  }
}

export function percentileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
