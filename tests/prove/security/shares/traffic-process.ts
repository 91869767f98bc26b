import { readFileSync } from 'node:fs'
import { type Answered, Connection } from '../../overload/connection.ts'
import { createBytesOf } from '../../overload/request-bytes.ts'
import { type Sent, trafficSchema } from './traffic.ts'

// Sends the traffic that the file describes, and prints the result as one line of JSON.
const { urls, requests, connections, rate, seconds } = trafficSchema.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')))
const result: Sent = { due: 0, answered: 0, others: {}, tookMs: {} }
let hasEnded = false

type Prepared = { readonly kind: string; readonly bytes: Buffer }

function note(kind: string, { status, errors }: Answered, tookMs: number): void {
  if (status === 200 && errors === '') {
    result.answered += 1
    ;(result.tookMs[kind] ??= []).push(Math.round(tookMs * 10) / 10)
  } else {
    const name = `${kind} ${status} ${errors.slice(0, 120)}`
    result.others[name] = (result.others[name] ?? 0) + 1
  }
}

/** The connections to one instance. */
async function createSender(url: URL, count: number) {
  const bytesOf = createBytesOf(url)
  const prepared = requests.map(({ kind, path, body, token }): Prepared => {
    return { kind, bytes: bytesOf({ path, body, ...(token !== null && { token }) }) }
  })
  const free: Connection[] = []
  let sent = 0
  const waiting: number[] = []
  const sendOver = (connection: Connection, dueAt: number): void => {
    const next = prepared[(sent += 1) % prepared.length]
    if (!next) return
    connection.send(next.bytes, (answer) => {
      if (hasEnded) return
      note(next.kind, answer, performance.now() - dueAt)
      if (answer.status === 0) void open(1)
    })
  }
  const release = (connection: Connection): void => {
    const dueAt = waiting.shift()
    if (hasEnded) return
    if (rate === null) result.due += 1
    if (rate === null || dueAt !== undefined) sendOver(connection, dueAt ?? performance.now())
    else free.push(connection)
  }
  const open = async (howMany: number): Promise<void> => {
    for (const connection of await Connection.open(url, howMany, release)) release(connection)
  }
  await open(count)
  return {
    send(): void {
      const connection = free.shift()
      if (connection) sendOver(connection, performance.now())
      else waiting.push(performance.now())
    },
  }
}

const senders = await Promise.all(urls.map((url) => createSender(new URL(url), Math.ceil(connections / urls.length))))
const startedAt = performance.now()
const sendDue = (perSecond: number): void => {
  const until = ((performance.now() - startedAt) / 1_000) * perSecond
  for (; result.due < until; result.due += 1) senders[result.due % senders.length]?.send()
}
const timer = setInterval(() => rate !== null && sendDue(rate), 2)
setTimeout(() => {
  clearInterval(timer)
  // What is under way may end; a closed loop goes on until then.
  setTimeout(() => {
    hasEnded = true
    process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit())
  }, 1_500)
}, seconds * 1_000)
