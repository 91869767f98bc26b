import { countChannels, inspectedBytes } from './count-channels.ts'
import { audioTypeOf, sniffedBytes } from './sniff-audio.ts'

/** `channels`: 1 if the recording does not tell. */
export type Sound = { readonly contentType: string; readonly channels: number }

/** The format of a recording, from as few bytes as possible; then the stream ends, and with it the connection. Errors: the stream's. */
export async function readSound(body: AsyncIterable<Uint8Array>): Promise<Sound | 'EMPTY' | 'NO_SOUND'> {
  const chunks: AsyncIterator<Uint8Array, unknown> = body[Symbol.asyncIterator]()
  try {
    const head = await readHead(chunks)
    if (head.length === 0) return 'EMPTY'
    const contentType = audioTypeOf(head)
    if (contentType === null) return 'NO_SOUND'
    if (isBareWave(head, contentType)) return 'EMPTY'
    return { contentType, channels: (await countChannels(withHead(head, chunks), contentType)) ?? 1 }
  } finally {
    // Not awaited: it waits for a chunk that is under way.
    chunks.return?.().catch(() => undefined)
  }
}

async function readHead(chunks: AsyncIterator<Uint8Array, unknown>): Promise<Buffer> {
  let head = Buffer.alloc(0)
  while (head.length < sniffedBytes) {
    const next = await chunks.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  return head
}

/** A header that a provider wrote when the call began, and nothing behind it yet. */
function isBareWave(head: Buffer, contentType: string): boolean {
  if (contentType !== 'audio/wav' || head.length >= sniffedBytes) return false
  const data = head.indexOf('data')
  return data === -1 || head.length <= data + 8
}

/** RF64 is RIFF with longer sizes, and the library knows its other name only. Ends at the last byte that we asked for: a server may send more. */
async function* withHead(head: Buffer, chunks: AsyncIterator<Uint8Array, unknown>): AsyncGenerator<Uint8Array, void> {
  yield head.toString('latin1', 0, 4) === 'RF64' ? Buffer.concat([Buffer.from('RIFF'), head.subarray(4)]) : head
  for (let read = head.length; read < inspectedBytes;) {
    const next = await chunks.next()
    if (next.done === true) return
    read += next.value.length
    yield next.value
  }
}
