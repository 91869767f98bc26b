import { once } from 'node:events'
import { Readable } from 'node:stream'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { parseStream } from 'music-metadata'
import { inspectedBytes, more } from './count-channels.ts'

/** The thread of count-channels.ts: for the type of a recording it asks for bytes until it can post the number of channels, 0 if it does not tell. */
if (parentPort) {
  for (;;) {
    const mimeType = await nextMessage(parentPort)
    parentPort.postMessage(await count(parentPort, String(mimeType)), [])
  }
}

async function count(port: MessagePort, mimeType: string): Promise<number> {
  const found: { channels?: unknown } = {}
  const bytes = bytesUntilKnown()
  async function* bytesUntilKnown(): AsyncGenerator<Uint8Array> {
    while (found.channels === undefined) {
      const next = nextMessage(port)
      port.postMessage(more, [])
      const given = await next
      if (!(given instanceof Uint8Array)) return
      yield given
    }
  }
  const whole = await parseStream(
    Readable.from(bytes, { objectMode: false }),
    // The size bounds what the library allocates for a tag.
    { mimeType, size: inspectedBytes },
    {
      skipCovers: true,
      observer: ({ tag: { id, value } }) => {
        if (id === 'numberOfChannels') found.channels ??= value
      },
    },
  ).catch(() => null)
  // The stream asks ahead: what is on its way must not be taken for the next recording.
  await bytes.return(undefined)
  const channels = found.channels ?? whole?.format.numberOfChannels
  return typeof channels === 'number' ? channels : 0
}

async function nextMessage(port: MessagePort): Promise<unknown> {
  const messages: readonly unknown[] = await once(port, 'message')
  return messages[0]
}
