import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type Answer, percentile } from '../stage/client.ts'
import type { Figure } from '../stage/report.ts'
import { type Desk, everyMs, openDesk } from './desk.ts'

const healthSchema = z.object({ parts: z.record(z.string(), z.object({ state: z.string(), checkedAt: z.iso.datetime().nullable() })) })

/** What `/health` and `/ready` answer while the platform hangs. */
export async function proveHealth(): Promise<readonly Figure[]> {
  await using desk = await openDesk([])
  await desk.stage.command('platform', 'fault', { act: 'hang' })
  let oldestMs = 0
  const health = async (): Promise<Answer> => {
    const answer = await desk.ask('/health', { method: 'GET' })
    oldestMs = Math.max(oldestMs, ageOf(answer))
    return answer
  }
  const [healths, readies] = await Promise.all([everyMs(50, 15, health), everyMs(50, 15, () => desk.ask('/ready', { method: 'GET' }))])
  const figures = [latencyOf('/health', healths), latencyOf('/ready', readies), ageFigure('at 20 requests a second', oldestMs)]
  return [...figures, await proveQuiet(desk)]
}

/** The state after some time without a request. */
async function proveQuiet(desk: Desk): Promise<Figure> {
  await delay(15_000)
  const answer = await desk.ask('/health', { method: 'GET' })
  const { platform } = healthSchema.parse(answer.body).parts
  const figure = ageFigure('after 15 s without a request', ageOf(answer))
  return { ...figure, figure: `${figure.figure}; platform ${platform?.state}`, holds: figure.holds && platform?.state === 'down' }
}

/** Of the oldest state, in milliseconds. */
function ageOf({ body }: Answer): number {
  // An unknown state has no time.
  const checked = Object.values(healthSchema.parse(body).parts).map(({ checkedAt }) => (checkedAt === null ? 0 : Date.parse(checkedAt)))
  return Date.now() - Math.min(...checked)
}

function ageFigure(when: string, ms: number): Figure {
  return { claim: `the oldest state in /health, ${when}`, figure: `${(ms / 1_000).toFixed(1)} s`, holds: ms <= 10_000 }
}

function latencyOf(path: string, answers: readonly Answer[]): Figure {
  const ms = percentile(answers, 0.99)
  const figure = `${ms} ms, 99th percentile of ${answers.length}`
  return { claim: `${path} while the platform hangs`, figure, holds: ms < 50 && answers.every(({ status }) => status === 200) }
}
