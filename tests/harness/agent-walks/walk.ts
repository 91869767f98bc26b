import * as fc from 'fast-check'
import { firstModel } from './model.ts'
import { firstSteps, lastSteps, walks } from './steps.ts'
import { createWorld } from './world.ts'

type WalkOptions = {
  readonly count: number
  readonly seed: number
  /** How long a page may show what is no longer true; as long as any test waits where left out. */
  readonly patienceMs?: number
  /** Gets a walk that breaks a rule before it is shortened, which takes some minutes. */
  readonly onFault?: (report: string) => void
}

/** A walk that waits in vain takes its time. */
const longestShorteningMs = 600_000

/**
 * Walks through an agent's work at random: what happens to their devices, their calls, the service and the provider. Rejects with the seed and a
 * shortened walk that breaks a rule. Returns how long the pages needed at most until they showed what was true.
 */
export async function walkAsAgent(chromium: string, { count, seed, patienceMs, onFault }: WalkOptions): Promise<number> {
  let slowestMs = 0
  const property = fc.asyncProperty(walks, async (walk) => {
    await using world = await createWorld(chromium, patienceMs)
    const model = firstModel()
    await firstSteps(world, model)
    await fc.asyncModelRun(() => ({ model, real: world }), walk)
    await lastSteps(world, model)
    slowestMs = Math.max(slowestMs, world.slowestMs)
  })
  const found = await fc.check(property, { numRuns: count, seed, endOnFailure: true })
  if (!found.failed) return slowestMs
  onFault?.(`${fc.defaultReportMessage(found) ?? ''}\n${reasonOf(found.errorInstance)}`)
  const shortening = { seed, path: found.counterexamplePath ?? '', interruptAfterTimeLimit: longestShorteningMs }
  const shortened = await fc.check(property, shortening)
  throw new Error(fc.defaultReportMessage(shortened.counterexample === null ? found : shortened), { cause: found.errorInstance })
}

/** The last error of a chain says which rule it was. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`
}
