import { setTimeout as pause } from 'node:timers/promises'
import { cpus, loadavg } from 'node:os'
import { cpuMicros, residentMb } from '../bench/processes.ts'
import { type LoadResult, sendLoad } from './overload/load.ts'
import { type MeasuredService, serviceCore, startMeasuredService } from './overload/measured-service.ts'
import { type Figure, proveParts, say } from './stage/report.ts'

// `npm run prove:overload`: four times the capacity for a minute. `-- quick`: for a few seconds, to see that it works.
await proveParts(
  'Overload',
  process.argv.includes('quick')
    ? { quick: () => proveOverload({ warmUpSeconds: 5, peakSeconds: 5, seconds: 8 }) }
    : { overload: () => proveOverload({ warmUpSeconds: 15, peakSeconds: 15, seconds: 60 }) },
)

type Lengths = { readonly warmUpSeconds: number; readonly peakSeconds: number; readonly seconds: number }

async function proveOverload({ warmUpSeconds, peakSeconds, seconds }: Lengths): Promise<readonly Figure[]> {
  await using service = await startMeasuredService({ leaving: 2 * seconds })
  const { target, leaving, pid } = service
  const closedLoop = { ...target, leaving: [], rate: null, connections: 32 }
  // The code is compiled while it runs: the first seconds are no peak. The calls of their webhooks fill the lists that agents read.
  const warmUp = await sendLoad({ ...closedLoop, firstCall: 1, seconds: warmUpSeconds })
  say(`warm-up: ${JSON.stringify({ ...warmUp, usefulBySecond: warmUp.usefulBySecond.join(' ') })}`)
  const beforePeak = cpuMicros(pid)
  const peak = await sendLoad({ ...closedLoop, firstCall: 100_001, seconds: peakSeconds })
  const perSecond = peak.useful / peakSeconds
  const usefulMicros = (cpuMicros(pid) - beforePeak) / peak.useful
  say(`peak: ${Math.round(perSecond)} a second, p99 ${peak.usefulMs[2]} ms; refused ${peak.refused}, failed ${JSON.stringify(peak.failed)}`)
  const memory = watchMemory(pid)
  const beforeOver = cpuMicros(pid)
  const busyBefore = busyMs()
  const rate = Math.round(4 * perSecond)
  const over = await sendLoad({ ...target, leaving: [...leaving], rate, seconds, connections: 900, firstCall: 200_001 })
  const ownMs = (cpuMicros(pid) - beforeOver) / 1_000
  const othersShare = Math.max(0, busyMs() - busyBefore - ownMs) / (seconds * 1_000)
  const refusedMicros = (cpuMicros(pid) - beforeOver - over.useful * usefulMicros) / Math.max(over.refused, 1)
  say(`processor time: an answer ${Math.round(usefulMicros)} µs, a refusal ${Math.round(refusedMicros)} µs`)
  const normalMs = await untilNormal(service, over.endedAt, Math.max(50, 3 * (peak.usefulMs[2] ?? 0)))
  const largestMb = memory.stop()
  // The machine may be faster or slower than a minute before.
  const after = await sendLoad({ ...closedLoop, firstCall: 400_001, seconds: peakSeconds })
  say(`peak again: ${Math.round(after.useful / peakSeconds)} a second; refused ${after.refused}, failed ${JSON.stringify(after.failed)}`)
  const peaks: Seen['peaks'] = [perSecond, after.useful / peakSeconds]
  say(`overload: ${JSON.stringify({ ...over, usefulBySecond: over.usefulBySecond.join(' ') })}`)
  return figuresOf({ peak, over, peaks, rate, seconds, normalMs, largestMb, othersShare })
}

type Seen = {
  readonly peak: LoadResult
  readonly over: LoadResult
  /** Useful answers a second before and after the overload. */
  readonly peaks: readonly [before: number, after: number]
  readonly rate: number
  readonly seconds: number
  readonly normalMs: number
  readonly largestMb: number
  readonly othersShare: number
}

function figuresOf({ peak, over, peaks: [before, after], rate, seconds, normalMs, largestMb, othersShare }: Seen): readonly Figure[] {
  const share = over.useful / seconds / ((before + after) / 2)
  const failed = Object.values(over.failed).reduce((sum, count) => sum + count, 0)
  const sent = over.useful + over.refused + failed
  const wrongVital = Object.entries(over.vital).filter(([kind]) => !kind.endsWith(' 200'))
  const [medianMs = 0, , refusedMs = 0] = over.refusedMs
  return [
    {
      claim: `useful answers of ${rate} requests a second for ${seconds} s, four times the peak of ${Math.round(before)} a second (after the overload ${Math.round(after)}; service on one core, load and stand-ins on another; own, mixed, stitched, forwarded and REST requests, see tests/prove/overload/operations.ts)`,
      figure: `${Math.round(share * 100)} % of the mean of both peaks; ${over.refused} refused, ${failed} failed, ${over.notSent} of ${sent + over.notSent} not sent by the client; p99 of useful answers ${over.usefulMs[2]} ms, at the peak ${peak.usefulMs[2]} ms`,
      holds: share >= 0.8 && failed === 0 && over.notSent < 0.01 * sent,
    },
    {
      claim: 'time until a refusal (503 with Retry-After), 99th percentile',
      figure: `${refusedMs} ms (median ${medianMs} ms)`,
      holds: refusedMs <= 100,
    },
    {
      claim: 'largest resident memory, with the options of docs/operations.md for little memory',
      figure: `${largestMb} MB`,
      holds: largestMb <= 512,
    },
    { claim: 'until all requests are answered as before', figure: `${(normalMs / 1_000).toFixed(1)} s`, holds: normalMs <= 5_000 },
    {
      claim: 'webhooks, heartbeats and sign-outs of agents with a session, by status',
      figure: `${JSON.stringify(over.vital)}; p99 ${over.vitalMs[2]} ms`,
      holds: wrongVital.length === 0 && Object.keys(over.vital).length === 5,
    },
    {
      claim: 'what other programs took of the core of the service meanwhile',
      figure: `${Math.round(othersShare * 100)} %; load average at the end ${loadavg()[0]?.toFixed(1)}`,
      holds: true,
    },
  ]
}

/** Milliseconds from then until 20 requests in a row, one every 20 ms, are answered with 200 within the limit. */
async function untilNormal({ target }: MeasuredService, endedAt: number, limitMs: number): Promise<number> {
  let since = Date.now()
  for (let good = 0; good < 20;) {
    const sentAt = Date.now()
    const answer = await fetch(`${target.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${target.tokens[0]}` },
      body: JSON.stringify({ query: '{ me { role } }' }),
    })
    await answer.arrayBuffer()
    const isGood = answer.status === 200 && Date.now() - sentAt <= limitMs
    if (!isGood) since = Date.now()
    good = isGood ? good + 1 : 0
    await pause(20)
  }
  return since - endedAt
}

/** How long the core of the service has worked, for whatever program. */
function busyMs(): number {
  const { user = 0, nice = 0, sys = 0, irq = 0 } = cpus()[serviceCore]?.times ?? {}
  return user + nice + sys + irq
}

function watchMemory(pid: number) {
  let largest = 0
  const timer = setInterval(() => (largest = Math.max(largest, residentMb(pid))), 500)
  return {
    stop(): number {
      clearInterval(timer)
      return largest
    },
  }
}
