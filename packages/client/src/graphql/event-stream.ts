import { graphqlError } from '../errors/read-errors.ts'
import { ServiceError } from '../errors/service-error.ts'
import type { Timers } from '../timers.ts'
import { type Answer, members } from '../transport.ts'

/** The service sends something every 12 s; after this silence the connection counts as dead. */
const silenceMs = 45_000

interface StreamEvent {
  readonly name: string
  readonly data: string
}

/** The results in the answer to a subscription, until the service completes it. Throws if it is no stream, breaks off, or is silent for too long. */
export async function* resultsOf(answer: Answer, timers: Timers): AsyncGenerator<unknown, void> {
  const { headers, body } = answer.response
  try {
    if (!/^text\/event-stream\b/.test(headers.get('content-type') ?? '') || !body) throw graphqlError(members(answer)) ?? brokenOff()
    for await (const { name, data } of readEvents(body, timers)) {
      if (name === 'complete') return
      if (name === 'next') yield JSON.parse(data)
    }
    throw brokenOff()
  } finally {
    answer.release()
  }
}

export function brokenOff(cause?: unknown): ServiceError {
  return new ServiceError({ code: 'NO_ANSWER', message: 'The stream broke off', retryable: true, cause })
}

/** The events of a `text/event-stream`, until it ends. Throws if it breaks off or is silent for too long. */
async function* readEvents(body: ReadableStream<Uint8Array>, timers: Timers): AsyncGenerator<StreamEvent, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await withoutSilence(reader.read(), timers)
      if (done) return
      rest += decoder.decode(value, { stream: true })
      const blocks = rest.split(/\r?\n\r?\n/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event) yield event
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

/** Null for a comment, which only keeps the connection alive. */
function eventOf(block: string): StreamEvent | null {
  const lines = block.split(/\r?\n/)
  const valuesOf = (name: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''))
  const [name] = valuesOf('event')
  const data = valuesOf('data')
  return name === undefined && data.length === 0 ? null : { name: name ?? 'message', data: data.join('\n') }
}

function withoutSilence<Value>(reading: Promise<Value>, timers: Timers): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = timers.after(silenceMs, () => reject(new Error('The stream is silent')))
    reading.then(resolve, reject).finally(cancel)
  })
}
