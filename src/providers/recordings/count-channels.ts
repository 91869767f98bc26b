import { Readable } from 'node:stream'

/** What is read at most: large covers come before the sound of an MP3, and the list of tracks of an M4A may come last. */
export const inspectedBytes = 32 * 1024 * 1024

/**
 * The channels that a recording of this type declares, read from as many bytes as its format needs; null if it does not tell. Rejects with the
 * source's errors only.
 */
export async function countChannels(source: AsyncIterable<Uint8Array>, mimeType: string): Promise<number | null> {
  // Loaded when a recording comes.
  const { parseStream } = await import('music-metadata')
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  const stream = Readable.from(source, { objectMode: false }).once('error', reject)
  const whole = parseStream(
    stream,
    // The size bounds what the library allocates for a tag.
    { mimeType, size: inspectedBytes },
    { skipCovers: true, observer: ({ tag: { id, value } }) => id === 'numberOfChannels' && resolve(channelsIn(value)) },
  )
  whole.then(
    ({ format }) => resolve(channelsIn(format.numberOfChannels)),
    () => resolve(null),
  )
  try {
    return await promise
  } finally {
    stream.destroy()
  }
}

function channelsIn(value: unknown): number | null {
  return typeof value === 'number' && value > 0 ? value : null
}
