import { createServer, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { startSandbox } from '../../src/sandbox/start.ts'
import { answerOf } from './prepared-answers.ts'

// The platform of the latency benchmark, as a process of its own: it answers in chunks without a length, as the real server does, and after exactly
// the delay of the round. What it answers is prepared, or is the first answer of the sandbox's platform to the same request. `POST /delay/7` sets
// the delay in milliseconds; the answer says how long requests were under way here since the last one, and which. Prints the settings of a service
// as JSON.
type Answer = { readonly status: number; readonly type: string; readonly bytes: Buffer }
/** By the variable `first`, which every gateway forwards as it is. */
const prepared = new Map([250, 3_000, 50_000].map((bytes) => [bytes, { status: 200, type: 'application/json', bytes: answerOf(bytes) }]))
const sandbox = await startSandbox({ dataDir: null })
const { PLATFORM_URL: target = '', ...settings } = sandbox.environmentOf('demo')
const first = new Map<string, Answer>()
let delayMs = 0
let underWay = 0
let busySince = 0
let busyMs = 0
let asked: { readonly path: string; readonly authorization: string; readonly body: string }[] = []

async function answerTo(path: string, authorization: string, body: Buffer): Promise<Answer> {
  const known = prepared.get(Number(/"first":(\d+)/.exec(body.toString())?.[1] ?? 0))
  if (known) return known
  const key = `${path} ${authorization} ${body.toString()}`
  const before = first.get(key)
  if (before) return before
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
  const { statusCode, headers: came, body: answer } = await request(target + path, { method: 'POST', headers, body })
  const taken = { status: statusCode, type: String(came['content-type']), bytes: Buffer.from(await answer.arrayBuffer()) }
  first.set(key, taken)
  return taken
}

/** A timer is up to a millisecond late; this is not. */
async function waitUntil(time: number): Promise<void> {
  if (time - performance.now() > 2) await pause(time - performance.now() - 2)
  while (performance.now() < time) await immediate()
}

function begin(delay: string, response: ServerResponse): void {
  delayMs = Number(delay)
  response.end(JSON.stringify({ busyMs, asked }))
  busyMs = 0
  asked = []
}

const server = createServer((incoming, response) => {
  const { url = '/', headers } = incoming
  if (url.startsWith('/delay/')) return begin(url.slice('/delay/'.length), response)
  void buffer(incoming).then(async (body) => {
    const startedAt = performance.now()
    if (underWay === 0) busySince = startedAt
    underWay += 1
    const { authorization = '' } = headers
    asked.push({ path: url, authorization, body: body.toString() })
    const { status, type, bytes } = await answerTo(url, authorization, body)
    await waitUntil(startedAt + delayMs)
    response.writeHead(status, { 'content-type': type }).write(bytes)
    response.end()
    underWay -= 1
    if (underWay === 0) busyMs += performance.now() - busySince
  })
})
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  console.log(JSON.stringify({ ...settings, PLATFORM_URL: url }))
})
