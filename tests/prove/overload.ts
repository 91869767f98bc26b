import { loadavg } from 'node:os'
import { z } from 'zod'
import { startService, startUpstream } from '../bench/contenders.ts'
import { token } from '../bench/load.ts'
import { type Contender, cpuMicros, residentMb } from '../bench/processes.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { sendLoad, type Target } from './overload/load.ts'
import { type Figure, proveParts, say } from './stage/report.ts'

// `npm run prove:overload`: four times the capacity for a minute. `-- quick`: for a few seconds, to see that it works.
await proveParts(
  'Overload',
  process.argv.includes('quick')
    ? { quick: () => proveOverload({ peakSeconds: 3, seconds: 5 }) }
    : { overload: () => proveOverload({ peakSeconds: 15, seconds: 60 }) },
)

type Lengths = { readonly peakSeconds: number; readonly seconds: number }

async function proveOverload({ peakSeconds, seconds }: Lengths): Promise<readonly Figure[]> {
  await using stack = new AsyncDisposableStack()
  const platform = stack.use(await startUpstream({ BENCH_ROLE: 'Manager' }))
  const { path } = stack.use(await createTempDir())
  const service = stack.use(await startService(platform.url, path, { WORKSPACES: 'bench' }))
  const target: Target = { url: service.url, token, webhook: await newWebhookPath(service.url) }

  // The code is compiled while it runs: the first seconds are no peak.
  await sendLoad(target, { rate: null, seconds: 5, connections: 32 })
  const beforePeak = cpuMicros(service.pid)
  const peak = await sendLoad(target, { rate: null, seconds: peakSeconds, connections: 32 })
  const perSecond = peak.useful / peakSeconds
  say(`peak: ${Math.round(perSecond)} a second, p99 ${peak.usefulMs[1]} ms; other answers: ${peak.refused + peak.failed}`)
  const usefulMicros = (cpuMicros(service.pid) - beforePeak) / peak.useful
  const memory = watchMemory(service)
  const beforeOver = cpuMicros(service.pid)
  const over = await sendLoad(target, { rate: Math.round(4 * perSecond), seconds, connections: 512 })
  const refusedMicros = (cpuMicros(service.pid) - beforeOver - over.useful * usefulMicros) / over.refused
  say(`processor time: an answer ${Math.round(usefulMicros)} µs, a refusal ${Math.round(refusedMicros)} µs`)
  const normalMs = await untilNormal(target, over.endedAt, Math.max(50, 3 * (peak.usefulMs[1] ?? 0)))
  const largestMb = memory.stop()
  say(`useful answers in each second: ${over.usefulBySecond.join(' ')}`)
  const share = over.useful / seconds / perSecond
  const refusedVital = over.vital['503'] ?? 0
  const [middleMs = 0, refusedMs = 0] = over.refusedMs
  return [
    {
      claim: `useful answers of ${Math.round(4 * perSecond)} requests a second for ${seconds} s, beside the peak of ${Math.round(perSecond)} a second`,
      figure: `${Math.round(share * 100)} % of the peak; ${over.refused} refused, ${over.failed} failed, ${over.notSent} not sent by the client`,
      holds: share >= 0.8 && over.failed === 0,
    },
    { claim: 'time until a refusal, 99th percentile', figure: `${refusedMs} ms (median ${middleMs} ms)`, holds: refusedMs <= 100 },
    { claim: 'largest resident memory', figure: `${largestMb} MB`, holds: largestMb <= 512 },
    { claim: 'until all requests are answered as before', figure: `${(normalMs / 1_000).toFixed(1)} s`, holds: normalMs <= 5_000 },
    {
      claim: 'webhooks, heartbeats and sign-outs that were refused',
      figure: `${refusedVital} of ${Object.values(over.vital).reduce((sum, one) => sum + one, 0)} (by status: ${JSON.stringify(over.vital)})`,
      holds: refusedVital === 0 && (over.vital['0'] ?? 0) === 0,
    },
    { claim: 'load average of the machine at the end', figure: loadavg()[0]?.toFixed(1) ?? '', holds: true },
  ]
}

async function newWebhookPath(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/calls/callback-keys`, { method: 'POST', headers, body: JSON.stringify({ provider: 'ozonetel' }) })
  return z.object({ path: z.string() }).parse(await answer.json()).path
}

/** Milliseconds from then until 20 requests in a row, one every 20 ms, are answered with 200 within the limit. */
async function untilNormal({ url, token: bearer }: Target, endedAt: number, limitMs: number): Promise<number> {
  let since = Date.now()
  for (let good = 0; good < 20;) {
    const sentAt = Date.now()
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      body: JSON.stringify({ query: '{ me { role } }' }),
    })
    await answer.arrayBuffer()
    const isGood = answer.status === 200 && Date.now() - sentAt <= limitMs
    if (!isGood) since = Date.now()
    good = isGood ? good + 1 : 0
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return since - endedAt
}

function watchMemory({ pid }: Contender) {
  let largest = 0
  const timer = setInterval(() => (largest = Math.max(largest, residentMb(pid))), 500)
  return {
    stop(): number {
      clearInterval(timer)
      return largest
    },
  }
}
