import { z } from 'zod'
import { AppError, errorReasons } from '../../../src/kernel/errors.ts'
import type { BreakingChange } from './change.ts'

const codesSchema = z.record(z.string(), z.string())

/** The code of each reason, which all three kinds of clients see. */
export function codesOfReasons(): Readonly<Record<string, string>> {
  return Object.fromEntries(errorReasons.map((reason) => [reason, new AppError(reason).code]))
}

/** What breaks clients that decide by an error's reason, or by its code. */
export function errorChanges(before: unknown, after: unknown): readonly BreakingChange[] {
  const current = codesSchema.parse(after)
  return Object.entries(codesSchema.parse(before)).flatMap(([reason, code]): readonly BreakingChange[] => {
    const now = current[reason]
    if (now === code) return []
    const message = now === undefined ? 'this reason was removed' : `its code was ${code} and is ${now}`
    return [{ contract: 'errors', name: reason, within: [], message }]
  })
}
