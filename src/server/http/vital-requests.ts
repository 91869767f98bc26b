import type { IncomingMessage } from 'node:http'

/** What is lost if nobody takes it: webhooks, and the requests that end a session or prevent its end. And what shows how the service is. */
const vitalPaths: ReadonlySet<string> = new Set(['/auth/heartbeat', '/auth/logout', '/health', '/ready', '/metrics'])
const vitalPrefix = '/hooks/'
/** The same as GraphQL: one mutation with nothing beside it, so that nothing dear comes along. White space and commas are single spaces. */
const vitalOperation =
  /^ ?mutation(?: \w+)? ?(?:\([^(){}]*\) ?)?\{ ?(?:\w+ ?: ?)?(?:heartbeat|agentLogout) ?(?:\([^(){}]*\) ?)?(?:\{[^{}]*\} ?)?\} ?$/
/** Heartbeats and sign-outs are smaller. */
const smallBody = 4_096
/** For a small body to arrive. */
const bodyMs = 5_000

export function isVital(request: IncomingMessage): boolean {
  const path = pathOf(request)
  return request.method === 'OPTIONS' || vitalPaths.has(path) || path.startsWith(vitalPrefix)
}

export function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/** Reads a small body of a GraphQL request, and calls `done` with whether it is vital. Then the body can be read again. False for any other body. */
export function readVital(request: IncomingMessage, done: (isVital: boolean) => void): void {
  const { 'content-length': announced, 'transfer-encoding': encoding } = request.headers
  const length = encoding === undefined ? Number(announced ?? 0) : null
  if (length === 0 || (length !== null && !(length <= smallBody))) return done(false)
  const decide = (body: unknown): void => {
    const isVitalBody = Buffer.isBuffer(body) && isVitalOperation(body)
    if (isVitalBody) request.unshift(body)
    done(isVitalBody)
  }
  // Nearly always the body comes in one piece with the head, and is there when the parser has ended: listeners would double the cost of a refusal.
  process.nextTick(() => {
    if (request.complete && request.readableLength <= smallBody) decide(request.read())
    else readSlowly(request, length, decide)
  })
}

function readSlowly(request: IncomingMessage, length: number | null, decide: (body: unknown) => void): void {
  const end = (body: unknown): void => {
    clearTimeout(late)
    request.off('readable', read)
    request.off('close', leave)
    if (body === null) request.resume()
    decide(body)
  }
  const read = (): void => {
    const { readableLength } = request
    if (readableLength > smallBody) return end(null)
    if (readableLength === length || request.complete) end(request.read())
  }
  const leave = (): void => end(null)
  const late = setTimeout(leave, bodyMs)
  request.on('readable', read)
  request.once('close', leave)
}

function isVitalOperation(body: Buffer): boolean {
  // Nearly all have neither name, and are refused without being parsed.
  if (!body.includes('heartbeat') && !body.includes('agentLogout')) return false
  const query = queryIn(body.toString())
  return typeof query === 'string' && vitalOperation.test(query.replaceAll(/[\s,]+/g, ' '))
}

function queryIn(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'query' in body ? body.query : null
  } catch {
    return null
  }
}
