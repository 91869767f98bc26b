import { parseJson } from './json.ts'

/** After this silence the connection counts as dead. */
const silenceMs = 45_000

/** The JSON of each event of a `text/event-stream`, until the stream ends. Throws if it breaks off or is silent for too long. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read())
      if (done) return
      rest += decoder.decode(value, { stream: true })
      const events = rest.split(/\r?\n\r?\n/)
      rest = events.pop() ?? ''
      for (const event of events) {
        const data = dataOf(event)
        if (data !== '') yield parseJson(data) ?? data
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function dataOf(event: string): string {
  const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  return lines.map((line) => line.slice(5).trimStart()).join('\n')
}

function inTime<Value>(reading: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('silence')), silenceMs)
    reading.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
