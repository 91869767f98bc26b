import { once } from 'node:events'
import { Readable } from 'node:stream'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { parseStream } from 'music-metadata'
import { inspectedBytes, more } from './count-channels.ts'

/** The thread of count-channels.ts: it asks for bytes until it can post the number of channels. `workerData` is the type of the recording. */
if (parentPort) await count(parentPort)

async function count(port: MessagePort): Promise<void> {
  const post = (answer: unknown): void => port.postMessage(answer, [])
  const whole = await parseStream(
    Readable.from(bytesOf(port), { objectMode: false }),
    // The size bounds what the library allocates for a tag.
    { mimeType: String(workerData), size: inspectedBytes },
    { skipCovers: true, observer: ({ tag: { id, value } }) => id === 'numberOfChannels' && post(value) },
  ).catch(() => null)
  post(whole?.format.numberOfChannels)
}

async function* bytesOf(port: MessagePort): AsyncGenerator<Uint8Array> {
  for (;;) {
    const messages: Promise<readonly unknown[]> = once(port, 'message')
    port.postMessage(more, [])
    const [bytes] = await messages
    if (!(bytes instanceof Uint8Array)) return
    yield bytes
  }
}
