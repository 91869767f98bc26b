import { setTimeout as pause } from 'node:timers/promises'
import { StepFault } from './api.ts'

const lookEveryMs = 200

/** Polls until there is a value. Throws a StepFault that names the missing thing if none appears in time. */
export async function poll<Seen>(what: string, look: () => Promise<Seen | null>, deadlineMs = 20_000): Promise<Seen> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < deadlineMs) {
    const seen = await look()
    if (seen !== null) return seen
    await pause(lookEveryMs)
  }
  throw new StepFault(`waited ${deadlineMs / 1_000} s for ${what} in vain; see the service's log`)
}
