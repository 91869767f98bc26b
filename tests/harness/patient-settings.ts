import { scaled, scaleDeadlines } from '../../src/kernel/deadlines.ts'

/**
 * What every service of a test is started with: a machine that does many things at once is no overload, and no other party is late. A test about a
 * deadline has those of production: `usualDeadlines` for what is fixed at the start, such as breakers and connections, else `inUsualTime`.
 */
export const patientSettings = { OVERLOAD_DELAY_MS: '0', DEADLINE_FACTOR: '10' } as const

export const usualDeadlines = { DEADLINE_FACTOR: '1' } as const

/** For parts of the service that a test starts itself: patient, unless it names a time (`stallMs`). */
export function bePatient(...given: readonly (Readonly<Record<string, unknown>> | undefined)[]): void {
  const isAboutTime = given.some((options) => Object.keys(options ?? {}).some((name) => name.endsWith('Ms')))
  scaleDeadlines(isAboutTime ? 1 : Number(patientSettings.DEADLINE_FACTOR))
}

/** Until it is disposed of, what begins in this process has the deadlines of production. */
export function inUsualTime(): Disposable {
  const before = scaled(1)
  scaleDeadlines(1)
  return { [Symbol.dispose]: () => scaleDeadlines(before) }
}
