import { loadavg } from 'node:os'
import { type Figure, say } from '../stage/report.ts'
import { attacks, ordinaryRequests } from './shares/requests.ts'
import { setSharesStage, type SharesStage } from './shares/stage.ts'
import { percentile, type Sent, sendTraffic } from './shares/traffic.ts'

const agents = 20
/** Of all agents together. */
const ordinaryRate = 50
const attackers = 200
const [warmUpSeconds, quietSeconds, attackSeconds] = [6, 8, 10]
const leastAnswered = 0.99

/** One member, or one address without a token, sends over 200 connections without pause: what agents of another workspace notice. */
export async function proveShares(): Promise<readonly Figure[]> {
  return [...(await proveInstances(1)), ...(await proveInstances(2))]
}

async function proveInstances(instances: number): Promise<readonly Figure[]> {
  await using stage = await setSharesStage({ instances, agents })
  const figures: Figure[] = []
  await sendOrdinary(stage, warmUpSeconds)
  for (const { name, requests } of attacks(stage.manager)) {
    const quiet = await sendOrdinary(stage, quietSeconds)
    const flood = { urls: [...stage.urls], requests: [...requests], connections: attackers, rate: null, seconds: attackSeconds + 1 }
    // Both clients are on one core, and only the agents' times are measured.
    const attacking = sendTraffic(flood, 10)
    const [attack, during] = await Promise.all([attacking, afterASecond(() => sendOrdinary(stage, attackSeconds))])
    say(`${name}, ${instances} instances: attack ${shown(attack)}\n  quiet ${shown(quiet)}\n  during ${shown(during)}`)
    figures.push(figureOf({ name, instances, attack, quiet, during }))
  }
  return figures
}

async function afterASecond<Result>(run: () => Promise<Result>): Promise<Result> {
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return run()
}

function sendOrdinary({ urls, agents: tokens }: SharesStage, seconds: number): Promise<Sent> {
  return sendTraffic({ urls: [...urls], requests: [...ordinaryRequests(tokens)], connections: 64, rate: ordinaryRate, seconds })
}

type Seen = { readonly name: string; readonly instances: number; readonly attack: Sent; readonly quiet: Sent; readonly during: Sent }

function figureOf({ name, instances, attack, quiet, during }: Seen): Figure {
  const [before, after] = [p95Of(quiet), p95Of(during)]
  const share = during.answered / during.due
  const on = instances === 1 ? 'one instance' : `${instances} instances with one Redis`
  return {
    claim: `${attackers} connections, without pause: ${name}; on ${on} (services on one core, all else on the other)`,
    figure: `${(100 * share).toFixed(1)} % of ${during.due} requests of another workspace answered, p95 ${before.toFixed(0)} ms quiet, ${after.toFixed(0)} ms during the attack (${byKind(quiet, during)}); of the attack ${attack.answered} answered, ${countOthers(attack)} not; load average ${loadavg()[0]?.toFixed(1)}`,
    holds: share >= leastAnswered && after <= 2 * before + 20,
  }
}

function p95Of({ tookMs }: Sent): number {
  return percentile(Object.values(tookMs).flat(), 0.95)
}

function byKind(quiet: Sent, during: Sent): string {
  const kinds = Object.keys(quiet.tookMs).toSorted()
  const p95 = (sent: Sent, kind: string): string => percentile(sent.tookMs[kind] ?? [], 0.95).toFixed(0)
  return kinds.map((kind) => `${kind} ${p95(quiet, kind)} and ${p95(during, kind)}`).join(', ')
}

function countOthers({ others }: Sent): number {
  return Object.values(others).reduce((sum, count) => sum + count, 0)
}

function shown({ due, answered, others, tookMs }: Sent): string {
  const times = Object.entries(tookMs).map(
    ([kind, values]) => `${kind} ${percentile(values, 0.5).toFixed(0)}/${percentile(values, 0.95).toFixed(0)}`,
  )
  return `${answered} of ${due} answered; p50/p95 ms ${times.join(', ')}; others ${JSON.stringify(others)}`
}
