import { request } from 'undici'
import type { Agenda } from './agenda.ts'

/** One webhook of a stand-in to the service. `deliveredAs` is the last HTTP status, or the error's message. */
export type Callback = {
  readonly url: string
  readonly contentType: string
  readonly body: string
  /** Finished tries. */
  tries: number
  deliveredAs: string
  done: boolean
}

/** Sends webhooks as providers do: in order at first, again later if the receiver did not answer 2xx. */
export interface CallbackSender extends AsyncDisposable {
  send(url: string, contentType: string, body: string): void
  /** The last webhooks, oldest first; at least 5,000. */
  sent(): readonly Callback[]
  /** Resolves when no first try is running; retries may still be due. */
  settled(): Promise<void>
}

const answerTimeoutMs = 15_000
const maxKept = 5_000

export function createCallbackSender(agenda: Agenda, retryDelaysMs: readonly number[]): CallbackSender {
  const stop = new AbortController()
  const queues = new Map<string, Promise<void>>()
  let kept: Callback[] = []

  const post = async (callback: Callback): Promise<void> => {
    callback.deliveredAs = await postOnce(callback, stop.signal)
    callback.done = callback.deliveredAs.startsWith('2')
    const delay = retryDelaysMs[callback.tries]
    if (!callback.done && delay !== undefined && !stop.signal.aborted) agenda.after(delay, () => void post(callback))
    // Last: a test that sees the new number may move the clock to the next try.
    callback.tries += 1
  }

  const postAfter = async (previous: Promise<void> | undefined, callback: Callback): Promise<void> => {
    await previous
    await post(callback)
  }

  return {
    send(url, contentType, body) {
      const sending: Callback = { url, contentType, body, tries: 0, deliveredAs: '', done: false }
      kept.push(sending)
      if (kept.length > 2 * maxKept) kept = kept.slice(-maxKept)
      queues.set(url, postAfter(queues.get(url), sending))
    },
    sent: () => kept,
    async settled() {
      await Promise.all(queues.values())
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await Promise.all(queues.values())
    },
  }
}

async function postOnce(callback: Callback, signal: AbortSignal): Promise<string> {
  try {
    const answer = await request(callback.url, {
      method: 'POST',
      headers: { 'content-type': callback.contentType },
      body: callback.body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
    })
    await answer.body.dump()
    return String(answer.statusCode)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
