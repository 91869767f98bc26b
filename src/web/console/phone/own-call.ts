/** The provider rings the agent's phone first. A call that the agent has just made is answered without asking. */
const expectedForMs = 45_000
let expectedUntil = 0

export function expectOwnCall(): void {
  expectedUntil = Date.now() + expectedForMs
}

/** True once for each call that the agent made here. */
export function takeOwnCall(): boolean {
  const isExpected = Date.now() < expectedUntil
  expectedUntil = 0
  return isExpected
}
