import type { ErrorReason } from '../../src/kernel/errors.ts'
import type { Ask, Asked, Outcome, World } from '../harness/graphql-and-rest.ts'

/** How a row is proved: what it does, played once by REST and once by GraphQL, must come to the same. */
export type Scenario = {
  /** A request that is right in form; the checks of form and of rights vary it. */
  readonly sample: Asked
  /** What each of the requests that it plays comes to. */
  readonly comesTo: readonly ('OK' | ErrorReason)[]
  /** Plays successes and refusals; answers what is compared. */
  play(ask: Ask, world: World): Promise<readonly Outcome[]>
}

/** Scenarios by row: `POST /auth/login`. */
export type Scenarios = Readonly<Record<string, Scenario>>

/** One after another: what a request does shows in the next. */
export async function inSequence(...asks: readonly (() => Promise<Outcome>)[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const ask of asks) outcomes.push(await ask())
  return outcomes
}
