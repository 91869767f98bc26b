import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Pool } from 'undici'
import { type Contender, cpuMicros } from './processes.ts'

const run = promisify(execFile)
const scripts = mkdtempSync(join(tmpdir(), 'bench-'))

/** A well-formed token; the platform of the benchmark accepts any. */
const claims = { sub: '1', type: 'ACCESS', workspaceId: '20202020-0000-4000-8000-000000000003', exp: 4_102_444_800 }
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
export const token = `${part({ alg: 'ES256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`

export type Load = { readonly body: string; readonly connections: number; readonly seconds: number }
export type Measured = { readonly cpuPerRequest: number; readonly perSecond: number; readonly p99Ms: number }

/** Repeats one request with wrk, over the given number of connections. Throws if an answer is not 2xx. */
export async function measure(contender: Contender, { body, connections, seconds }: Load): Promise<Measured> {
  const script = join(scripts, 'post.lua')
  const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` }
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
  writeFileSync(script, [`wrk.method = "POST"`, `wrk.body = [[${body}]]`, ...lines].join('\n'))
  const before = cpuMicros(contender.pid)
  const { stdout } = await run('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}`,
    '--latency',
    '--timeout',
    '60s',
    '-s',
    script,
    `${contender.url}/graphql`,
  ])
  const used = cpuMicros(contender.pid) - before
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1] ?? 0)
  // Too slow for such a short time: repeats it with twice the time.
  if (requests === 0 && seconds < 20) return measure(contender, { body, connections, seconds: seconds * 2 })
  if (requests === 0 || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`${contender.name}: ${stdout}`)
  return {
    cpuPerRequest: used / requests,
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? 0),
    p99Ms: milliseconds(/99%\s+([\d.]+\w+)/.exec(stdout)?.[1] ?? '0ms'),
  }
}

/** Sends so many requests over so many connections; microseconds of processor time for each. Throws if an answer is not 200. */
export async function cpuPerRequest(
  contender: Contender,
  { body, connections, requests }: { readonly body: string; readonly connections: number; readonly requests: number },
): Promise<number> {
  await using sender = createSender([contender], connections)
  const before = cpuMicros(contender.pid)
  await sender.repeat(requests, () => sender.send(contender, body))
  return (cpuMicros(contender.pid) - before) / requests
}

/** So many persistent connections to each contender. */
export function createSender(contenders: readonly Contender[], connections: number) {
  const pools = new Map(contenders.map((contender) => [contender, new Pool(contender.url, { connections })]))
  const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` }
  return {
    /** Throws if the answer is not 200. */
    async send(contender: Contender, body: string): Promise<void> {
      const answer = await pools.get(contender)?.request({ path: '/graphql', method: 'POST', body, headers })
      if (answer?.statusCode !== 200) throw new Error(`${contender.name}: ${await answer?.body.text()}`)
      await answer.body.dump({ limit: Number.POSITIVE_INFINITY })
    },
    /** Does the task so many times, on as many connections at once. */
    async repeat(times: number, task: () => Promise<void>): Promise<void> {
      let left = times
      const repeat = async (): Promise<void> => {
        while (left > 0) {
          left -= 1
          await task()
        }
      }
      await Promise.all(Array.from({ length: connections }, repeat))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...pools.values()].map((pool) => pool.close()))
    },
  }
}

function milliseconds(text: string): number {
  const value = Number.parseFloat(text)
  if (text.endsWith('us')) return value / 1_000
  return text.endsWith('ms') ? value : value * 1_000
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
