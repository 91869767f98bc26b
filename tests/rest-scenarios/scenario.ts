import type { ErrorReason } from '../../src/kernel/errors.ts'
import type { Ask, Asked, Outcome, World } from '../harness/graphql-and-rest.ts'

/** How a row is tested: its requests are sent once by REST and once by GraphQL, and the results must be the same. */
export type Scenario = {
  /** A request with a valid form. The tests of input and rights change it. */
  readonly sample: Asked
  /** The expected result of each request of `play`. */
  readonly results: readonly ('OK' | ErrorReason)[]
  /** Sends requests that succeed and requests that fail. Returns the results to compare. */
  play(ask: Ask, world: World): Promise<readonly Outcome[]>
}

/** Scenarios by row: `POST /auth/login`. */
export type Scenarios = Readonly<Record<string, Scenario>>

/** Sends requests one after another, because each may depend on the one before. */
export async function inSequence(...asks: readonly (() => Promise<Outcome>)[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const ask of asks) outcomes.push(await ask())
  return outcomes
}
