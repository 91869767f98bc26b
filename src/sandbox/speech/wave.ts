/** 8 kHz, 16 bit, one channel: what a telephone gives. */
const sampleRate = 8_000
const headerBytes = 12

export type SpokenStretch = { readonly startSeconds: number; readonly endSeconds: number; readonly pitchHertz: number }

/** A real WAV file: a hum with the rhythm of syllables for speech, faint noise between, `title` in its INFO chunk. */
export function writeWave(title: string, stretches: readonly SpokenStretch[]): Buffer {
  const seconds = stretches.at(-1)?.endSeconds ?? 1
  const samples = Buffer.alloc(Math.ceil(seconds * sampleRate) * 2)
  for (let index = 0; index < samples.length / 2; index += 1) samples.writeInt16LE(noiseAt(index), index * 2)
  for (const stretch of stretches) hum(samples, stretch)
  return wave({ title, sampleRate, samples })
}

export type Sound = { readonly title: string; readonly sampleRate: number; readonly samples: Buffer }

/** A WAV of one channel of 16 bit samples. */
export function wave({ title, sampleRate: rate, samples }: Sound): Buffer {
  const format = Buffer.alloc(16)
  format.writeUInt16LE(1, 0)
  format.writeUInt16LE(1, 2)
  format.writeUInt32LE(rate, 4)
  format.writeUInt32LE(rate * 2, 8)
  format.writeUInt16LE(2, 12)
  format.writeUInt16LE(16, 14)
  const info = Buffer.concat([Buffer.from('INFO'), chunk('INAM', Buffer.from(`${title}\0`))])
  const body = Buffer.concat([Buffer.from('WAVE'), chunk('fmt ', format), chunk('LIST', info), chunk('data', samples)])
  return chunk('RIFF', body)
}

export type WaveFacts = {
  readonly title: string | null
  readonly seconds: number
  readonly sampleRate: number
  readonly channels: number
  readonly samples: Buffer
}

/** The metadata of a WAV file; null if the bytes are not a WAV file. */
export function readWave(bytes: Buffer): WaveFacts | null {
  if (bytes.length < headerBytes || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') return null
  const chunks = new Map(chunksIn(bytes, headerBytes))
  const format = chunks.get('fmt ')
  const data = chunks.get('data')
  if (!format || format.length < 16 || !data) return null
  const bytesPerSecond = format.readUInt32LE(8)
  const list = chunks.get('LIST')
  const title = list && new Map(chunksIn(list, 4)).get('INAM')?.toString('utf8').replace(/\0.*$/, '')
  return {
    title: title ?? null,
    seconds: bytesPerSecond > 0 ? data.length / bytesPerSecond : 0,
    sampleRate: format.readUInt32LE(4),
    channels: format.readUInt16LE(2),
    samples: data,
  }
}

/** Whether the 16 bit sample at this byte is more than a faint noise. */
export function isLoud(samples: Buffer, at: number): boolean {
  return Math.abs(samples.readInt16LE(at)) > 300
}

function* chunksIn(bytes: Buffer, from: number): Generator<[string, Buffer]> {
  for (let at = from; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32LE(at + 4)
    yield [bytes.toString('latin1', at, at + 4), bytes.subarray(at + 8, Math.min(bytes.length, at + 8 + size))]
    at += 8 + size + (size % 2)
  }
}

function chunk(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
}

function hum(samples: Buffer, { startSeconds, endSeconds, pitchHertz }: SpokenStretch): void {
  for (let index = Math.floor(startSeconds * sampleRate); index < endSeconds * sampleRate; index += 1) {
    const time = index / sampleRate
    const syllable = Math.abs(Math.sin(2 * Math.PI * 2 * time))
    const tone = Math.sin(2 * Math.PI * pitchHertz * time) + 0.4 * Math.sin(4 * Math.PI * pitchHertz * time)
    const at = index * 2
    if (at + 1 < samples.length) samples.writeInt16LE(Math.round(5_000 * syllable * tone) + noiseAt(index), at)
  }
}

/** Looks like noise and is the same each time. */
function noiseAt(index: number): number {
  return ((Math.imul(index, 1_103_515_245) >>> 16) % 61) - 30
}
