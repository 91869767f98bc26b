import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { recordingNamed } from '../../src/sandbox/speech/recordings.ts'
import { createTestApp, type RestAnswer, type TestApp } from '../harness/app.ts'
import { attackAddresses } from '../harness/attack-addresses.ts'
import { type MediaServer, recordedCalls, startMedia } from '../harness/recordings.ts'

let app: TestApp
let canary: MediaServer
let media: MediaServer
let token: string
let callId: string
let addresses: readonly string[]

const wave = recordingNamed('call-003.wav') ?? Buffer.alloc(0)
/** The same with two channels, which the header says only behind 600 bytes of padding. */
const stereo = Buffer.concat([wave.subarray(0, 12), Buffer.from('JUNK\x58\x02\0\0'), Buffer.alloc(600), wave.subarray(12)])
stereo.writeUInt32LE(wave.readUInt32LE(4) + 608, 4)
stereo.writeUInt16LE(2, 630)
const m4a = await readFile(new URL('../fixtures/sound/mono.m4a', import.meta.url))
const threeGigabytes = 3 * 1024 ** 3

beforeAll(async () => {
  canary = await startMedia((_request, response) => response.end(wave), '::')
  media = await startMedia((request, response) => {
    const url = new URL(request.url ?? '/', 'http://media')
    const to = url.searchParams.get('to')
    if (to !== null) return void response.writeHead(302, { location: to }).end()
    if (url.pathname === '/loop') return void response.writeHead(302, { location: '/loop' }).end()
    if (url.pathname === '/good.wav') return void response.writeHead(200, { 'content-length': wave.length }).end(wave)
    if (url.pathname === '/stereo.wav') return void response.end(stereo)
    if (url.pathname === '/mono.m4a') return void response.end(m4a)
    if (url.pathname === '/text') return void response.writeHead(200, { 'content-type': 'audio/wav' }).end('Not found, sorry. '.repeat(60))
    if (url.pathname === '/empty') return void response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': 0 }).end()
    if (url.pathname === '/huge') return void response.writeHead(200, { 'content-length': threeGigabytes }).write(wave)
    if (url.pathname === '/huge-ranged')
      return void response.writeHead(206, { 'content-range': `bytes 0-511/${threeGigabytes}` }).end(wave.subarray(0, 512))
    if (url.pathname === '/private') return void response.writeHead(401).end()
    response.writeHead(500).end()
  })
  const attacks = attackAddresses(canary.port, media.url)
  addresses = attacks.addresses
  app = await createTestApp({ environment: { RECORDING_ORIGINS: media.url }, resolveHost: attacks.resolve })
  token = (await app.signIn('manager@demo.example')).token
  callId = (await recordedCalls(app, token))[0]?.id ?? ''
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await media[Symbol.asyncDispose]()
  await canary[Symbol.asyncDispose]()
})

const analyze = (recordingUrl: string): Promise<RestAnswer> =>
  app.rest('POST', '/api/recordings/analyze', { token, body: { callId, recordingUrl } })
const transcriptions = (): number => app.standIns.speech.calls('POST /v1/listen').length

test('neither the service nor the speech provider requests any of 120 private addresses', async () => {
  expect(addresses.length).toBeGreaterThanOrEqual(120)
  expect(new Set(addresses).size).toBe(addresses.length)
  for (const address of addresses) {
    const { status, body } = await analyze(address)
    expect({ address, status, body }).toMatchObject({ status: 400, body: { code: 'BAD_USER_INPUT' } })
  }
  expect(canary.connections()).toBe(0)
  expect(transcriptions()).toBe(0)
})

test('the canary server answers requests', async () => {
  expect((await fetch(`http://127.0.0.1:${canary.port}/`)).status).toBe(200)
  expect(canary.connections()).toBe(1)
})

test('fetches from an origin that the operator trusts, only that address and port, also after a redirect to itself', async () => {
  expect((await analyze(`${media.url}/?to=${encodeURIComponent('/good.wav')}`)).status).toBe(200)
  expect(transcriptions()).toBe(1)
  expect(await analyze(`http://127.0.0.1:${media.port + 1}/good.wav`)).toMatchObject({ status: 400 })
  expect(await analyze(`http://localhost:${media.port}/good.wav`)).toMatchObject({ status: 400 })
})

describe('who speaks is known by the channel', () => {
  test('of a recording with two', async () => {
    const { body } = await analyze(`${media.url}/stereo.wav`)
    expect(body).toMatchObject({
      speakers: [
        { role: 'AGENT', namedBy: 'CHANNEL' },
        { role: 'CUSTOMER', namedBy: 'CHANNEL' },
      ],
    })
  })

  test('not of one that has two by its header only', async () => {
    const said = (speaker: number, start: number, transcript: string) => ({ start, end: start + 1, channel: 0, speaker, transcript })
    const received = {
      metadata: { duration: 3 },
      results: { channels: [{ alternatives: [] }], utterances: [said(0, 0, 'Good morning'), said(1, 2, 'I want a visit')] },
    }
    app.standIns.speech.fault({ operation: 'POST /v1/listen', act: 'refuse', status: 200, body: JSON.stringify(received), times: 1 })
    const { body } = await analyze(`${media.url}/mono.m4a`)
    const speakers = z.object({ speakers: z.array(z.object({ speaker: z.int(), namedBy: z.string().nullable() })) }).parse(body).speakers
    expect(speakers.map(({ speaker }) => speaker)).toEqual([0, 1])
    expect(speakers.map(({ namedBy }) => namedBy)).not.toContain('CHANNEL')
  })
})

describe('rejects what is not a recording', () => {
  test.each([
    ['/text', 'names a file that is not audio'],
    ['/empty', 'names an empty recording'],
    ['/huge', 'names a recording of more than 2 GB'],
    ['/huge-ranged', 'names a recording of more than 2 GB'],
    ['/loop', 'redirects more than 5 times'],
    ['/private', 'needs credentials that this service does not have'],
  ])('%s', async (path, message) => {
    const before = transcriptions()
    const { status, body } = await analyze(media.url + path)
    expect({ status, body }).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'recordingUrl', message }] } } })
    expect(transcriptions()).toBe(before)
  })

  test('a failing server is unavailable, not a bad address', async () => {
    expect(await analyze(`${media.url}/broken`)).toMatchObject({ status: 503, body: { retryable: true } })
  })
})

test('a workspace with a list of hosts allows no other host', async () => {
  const configure = (hosts: readonly string[]): Promise<RestAnswer> =>
    app.rest('PUT', '/api/config/ai', { token, body: { recordings: { hosts } } })
  expect((await configure(['media.example.com', '*.recordings.example'])).status).toBe(200)
  const message = "is not among the workspace's recording hosts"
  for (const url of [`${media.url}/good.wav`, 'http://recordings.example/x.wav', 'http://evilrecordings.example/x.wav']) {
    expect(await analyze(url)).toMatchObject({ status: 400, body: { data: { fields: [{ message }] } } })
  }
  expect(await analyze('http://a.recordings.example/x.wav')).toMatchObject({
    body: { data: { fields: [{ message: 'names a host that cannot be found' }] } },
  })
  await configure(['127.0.0.1'])
  expect((await analyze(`${media.url}/good.wav`)).status).toBe(200)
  expect((await configure(['no host'])).status).toBe(400)
})
