import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { beforeEach, describe, expect, test } from 'vitest'
import { readSound } from '../../src/providers/recordings/read-sound.ts'
import { waitFor } from '../harness/wait-for.ts'
import { bePatient, inUsualTime } from '../harness/patient-settings.ts'

/** Of 0.3 s, written by lame, opusenc, flac and ffmpeg. */
const written = (name: string): Promise<Buffer> => readFile(new URL(`../fixtures/sound/${name}`, import.meta.url))

/** In pieces, as a network gives them. `read` is what was taken so far. */
function streamed(bytes: Buffer, pieceBytes = 1_000) {
  const stream = { read: 0, body: pieces() }
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      stream.read = Math.min(bytes.length, from + pieceBytes)
      yield bytes.subarray(from, from + pieceBytes)
    }
  }
  return stream
}
const soundOf = (bytes: Buffer) => readSound(streamed(bytes).body)

beforeEach(() => bePatient())

test.each([
  ['mono.mp3', { contentType: 'audio/mpeg', channels: 1 }],
  ['stereo.mp3', { contentType: 'audio/mpeg', channels: 2 }],
  ['joint-stereo-id3.mp3', { contentType: 'audio/mpeg', channels: 2 }],
  ['mono.aac', { contentType: 'audio/mpeg', channels: 1 }],
  ['stereo.aac', { contentType: 'audio/mpeg', channels: 2 }],
  ['mono.opus', { contentType: 'audio/ogg', channels: 1 }],
  ['stereo.opus', { contentType: 'audio/ogg', channels: 2 }],
  ['mono.flac', { contentType: 'audio/flac', channels: 1 }],
  ['stereo.flac', { contentType: 'audio/flac', channels: 2 }],
  ['stereo.m4a', { contentType: 'audio/mp4', channels: 2 }],
  // The list of tracks says 2: only who decodes it knows better.
  ['mono.m4a', { contentType: 'audio/mp4', channels: 2 }],
  ['mono.webm', { contentType: 'audio/webm', channels: 1 }],
  ['stereo.webm', { contentType: 'audio/webm', channels: 2 }],
])('knows the channels of %s', async (name, sound) => {
  expect(await soundOf(await written(name))).toEqual(sound)
})

describe('a WAV file', () => {
  type Wave = { readonly id?: string; readonly codec?: number; readonly channels: number; readonly before?: readonly Buffer[] }
  const chunk = (name: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(8)
    head.write(name, 'latin1')
    head.writeUInt32LE(body.length, 4)
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
  }
  const wave = ({ id = 'RIFF', codec = 1, channels, before = [] }: Wave): Buffer => {
    const format = Buffer.alloc(codec === 1 ? 16 : 18)
    format.writeUInt16LE(codec, 0)
    format.writeUInt16LE(channels, 2)
    format.writeUInt32LE(8_000, 4)
    const body = Buffer.concat([Buffer.from('WAVE'), ...before, chunk('fmt ', format), chunk('data', Buffer.alloc(2_000))])
    const file = chunk('RIFF', body)
    file.write(id, 'latin1')
    // Written while the call went on: nobody knew the length.
    if (id === 'RF64') file.writeUInt32LE(0xff_ff_ff_ff, 4)
    return file
  }
  const list = chunk('LIST', Buffer.concat([Buffer.from('INFO'), chunk('ICMT', Buffer.from('A call of the desk.\0'.repeat(60)))]))

  test.each<[string, Wave]>([
    ['PCM', { channels: 2 }],
    ['PCM', { channels: 1 }],
    ['A-law', { codec: 6, channels: 2 }],
    ['mu-law', { codec: 7, channels: 2 }],
    ['mu-law', { codec: 7, channels: 1 }],
    ['MP3', { codec: 0x55, channels: 2 }],
    ['GSM', { codec: 0x31, channels: 1 }],
    ['the format behind 600 bytes of padding', { channels: 2, before: [chunk('JUNK', Buffer.alloc(600))] }],
    ['the format behind an odd chunk of 5 MB', { codec: 6, channels: 2, before: [chunk('PAD ', Buffer.alloc(5_000_001))] }],
    ['the format behind a comment', { channels: 2, before: [list] }],
    ['long sizes', { id: 'RF64', channels: 2, before: [chunk('ds64', Buffer.alloc(28))] }],
  ])('with %s: %o', async (_what, asked) => {
    expect(await soundOf(wave(asked))).toEqual({ contentType: 'audio/wav', channels: asked.channels })
  })

  test('that is cut before its sound is empty', async () => {
    const whole = wave({ channels: 2 })
    const header = whole.indexOf('data') + 8
    for (const bytes of [20, header]) expect(await soundOf(whole.subarray(0, bytes))).toBe('EMPTY')
    expect(await soundOf(whole.subarray(0, header + 2))).toEqual({ contentType: 'audio/wav', channels: 2 })
  })
})

describe('an MP3 with a tag before it', () => {
  const sizeOf = (bytes: number): Buffer => Buffer.from([21, 14, 7, 0].map((shift) => (bytes >> shift) & 0x7f))
  const tag = (version: 3 | 4, bytes: number): Buffer => {
    const cover = Buffer.alloc(bytes)
    cover.write('APIC', 'latin1')
    if (version === 4) sizeOf(bytes - 10).copy(cover, 4)
    else cover.writeUInt32BE(bytes - 10, 4)
    cover.write('\0image/png\0\x03\0', 10, 'latin1')
    return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, version, 0, 0]), sizeOf(bytes), cover])
  }

  test.each([
    ['mono.mp3', 3, 600, 1],
    ['stereo.mp3', 3, 600, 2],
    ['stereo.mp3', 4, 70_000, 2],
    ['stereo.mp3', 3, 5_000_000, 2],
    ['mono.mp3', 4, 5_000_000, 1],
  ] as const)('%s, ID3v2.%i of %i bytes', async (...[name, version, bytes, channels]) => {
    const sound = soundOf(Buffer.concat([tag(version, bytes), await written(name)]))
    expect(await sound).toEqual({ contentType: 'audio/mpeg', channels })
  })

  test('that says it is larger than what we read has one channel', async () => {
    const liar = Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 3, 0, 0]), sizeOf(200_000_000), await written('stereo.mp3')])
    expect(await soundOf(liar)).toEqual({ contentType: 'audio/mpeg', channels: 1 })
  })
})

test('reads no more than it needs', async () => {
  const frames = await written('stereo.mp3')
  const long = streamed(Buffer.concat([frames, Buffer.alloc(20_000_000)]))
  expect(await readSound(long.body)).toMatchObject({ channels: 2 })
  expect(long.read).toBeLessThan(200_000)
  const page = streamed(Buffer.from(`<html>${' '.repeat(1_000_000)}`))
  expect(await readSound(page.body)).toBe('NO_SOUND')
  expect(page.read).toBe(1_000)
})

describe('a file that is made to keep us busy', () => {
  async function* endless(first: Buffer, fill: number): AsyncGenerator<Buffer> {
    for (let piece = first; ; piece = Buffer.alloc(65_536, fill)) yield piece
  }
  const wave = Buffer.from('RIFF\xff\xff\xff\x7fWAVE', 'latin1')

  test('does not hold other requests, and has one channel', async () => {
    using _ = inUsualTime()
    const before = performance.eventLoopUtilization()
    const sounds = [readSound(endless(Buffer.from([0xff, 0xfb, 0, 0xff]), 0xff)), readSound(endless(wave, 0))]
    expect((await Promise.all(sounds)).map((sound) => typeof sound === 'string' || sound.channels)).toEqual([1, 1])
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.8)
  })

  test('is read as far as we asked for, whatever the server sends', async () => {
    const padding = Buffer.concat([wave, Buffer.from('JUNK\xff\xff\xff\x7f', 'latin1'), Buffer.alloc(40_000_000)])
    const sent = streamed(padding, 65_536)
    expect(await readSound(sent.body)).toEqual({ contentType: 'audio/wav', channels: 1 })
    expect(sent.read).toBeLessThan(33_700_000)
  })
})

test('no more than four recordings are read at once', async () => {
  const frames = await written('stereo.mp3')
  const waiting: PromiseWithResolvers<void>[] = []
  let begun = 0
  async function* held(): AsyncGenerator<Buffer> {
    yield Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\x07\x68', 'latin1'), Buffer.alloc(1_000)])
    begun += 1
    const gate = Promise.withResolvers<void>()
    waiting.push(gate)
    await gate.promise
    yield frames
  }
  const sounds = Array.from({ length: 7 }, () => readSound(held()))
  for (let finished = 0; finished < 7; finished += 1) {
    await waitFor(() => begun >= Math.min(7, finished + 4))
    expect(begun).toBeLessThanOrEqual(finished + 4)
    waiting[finished]?.resolve()
  }
  expect(await Promise.all(sounds)).toEqual(Array.from({ length: 7 }, () => ({ contentType: 'audio/mpeg', channels: 2 })))
})

test('a connection that breaks is an error, wherever it does', async () => {
  const frames = await written('stereo.mp3')
  for (const first of [frames.subarray(0, 10), Buffer.concat([Buffer.from('ID3\x03\0\0\0\x7f\0\0', 'latin1'), Buffer.alloc(10_000)])]) {
    const broken = async function* () {
      yield first
      throw new Error('the connection broke')
    }
    await expect(readSound(broken())).rejects.toThrow('the connection broke')
  }
})

test.each([
  ['nothing', Buffer.alloc(0), 'EMPTY'],
  ['a page', Buffer.from('<!doctype html><title>Not ready</title>'), 'NO_SOUND'],
  ['a page in UTF-16', Buffer.from('\uFEFF<html>Not ready</html>', 'utf16le'), 'NO_SOUND'],
  ['JSON', Buffer.from('{"status":"processing"}'), 'NO_SOUND'],
  ['XML', Buffer.from('<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>'), 'NO_SOUND'],
  ['a text', Buffer.from('Recording is being processed'), 'NO_SOUND'],
  ['zeros', Buffer.alloc(4_096), 'NO_SOUND'],
])('%s is no sound', async (_what, bytes, expected) => {
  expect(await soundOf(bytes)).toBe(expected)
})
