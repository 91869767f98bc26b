import { deadlineSignal } from '../../../kernel/deadlines.ts'
import { telephonyDeadlineMs } from '../../../ports/telephony.ts'
import { transportError } from '../../../kernel/http-client.ts'
import { who } from './answers.ts'

/** Runs a method of the port with one deadline for all of its requests. */
export type Within = <T>(step: (signal: AbortSignal) => Promise<T>) => Promise<T>

export function createWithin(deadlineMs = telephonyDeadlineMs): Within {
  return async (step) => {
    const signal = deadlineSignal(deadlineMs)
    try {
      return await step(signal)
    } catch (error) {
      throw transportError(error, { who, signal })
    }
  }
}
