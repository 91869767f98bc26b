import * as fc from 'fast-check'
import { firstModel } from './model.ts'
import { firstSteps, lastSteps, walks } from './steps.ts'
import { createWorld } from './world.ts'

type WalkOptions = {
  readonly count: number
  readonly seed: number
  /** How long a page may show what is no longer true; as long as any test waits where left out. */
  readonly patienceMs?: number
}

/**
 * Walks through an agent's work at random: what happens to their devices, their calls, the service and the provider. Rejects with the seed and a
 * shortened walk that breaks a rule. Returns how long the pages needed at most until they showed what was true.
 */
export async function walkAsAgent(chromium: string, { count, seed, patienceMs }: WalkOptions): Promise<number> {
  let slowestMs = 0
  const property = fc.asyncProperty(walks, async (walk) => {
    await using world = await createWorld(chromium, patienceMs)
    const model = firstModel()
    await firstSteps(world, model)
    await fc.asyncModelRun(() => ({ model, real: world }), walk)
    await lastSteps(world, model)
    slowestMs = Math.max(slowestMs, world.slowestMs)
  })
  await fc.assert(property, { numRuns: count, seed })
  return slowestMs
}
