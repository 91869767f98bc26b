import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { PlatformError, platformErrorOf, type PlatformErrorFacts, type PlatformErrorKind } from './failure.ts'

/** One entry of the platform's `errors`; `extensions` is left out for errors of its validation. */
export const platformErrorSchema = z.object({
  message: z.string().catch(''),
  extensions: z
    .object({
      code: z.string().nullable().catch(null),
      subCode: z.string().nullable().catch(null),
      conflictingRecordId: z.string().nullable().catch(null),
    })
    .catch({ code: null, subCode: null, conflictingRecordId: null }),
})
export type PlatformErrorEntry = z.output<typeof platformErrorSchema>

/** How long to wait after the platform's "Limit reached (100 tokens per 60000 ms)". */
const limitWindowSeconds = 60

/** Maps the platform's error to ours. Its message goes to a client only if it says what the actor's role may not do. */
export function appErrorOf({ message, extensions }: PlatformErrorEntry): AppError {
  const { code, subCode, conflictingRecordId } = extensions
  const facts: PlatformErrorFacts = { code, subCode, kind: kindOf(message, subCode, code), conflictingRecordId }
  const cause = new PlatformError(facts, message)
  if (facts.kind === 'LIMIT_REACHED') return platformIsBusy(limitWindowSeconds, cause)
  if (subCode === 'PERMISSION_DENIED') return new AppError('PLATFORM_REFUSED', { detail: message, cause })
  if (code === 'UNAUTHENTICATED' || subCode === 'INVALID_JWT_TOKEN_TYPE') return new AppError('TOKEN_REFUSED', { cause })
  // Version 1.3 sends this one with the code INTERNAL_SERVER_ERROR.
  if (code === 'FORBIDDEN' || message === 'Forbidden resource') return new AppError('PLATFORM_REFUSED', { cause })
  if (code === 'NOT_FOUND') return new AppError('NOT_FOUND', { cause })
  return new AppError('PROVIDER_REFUSED', { detail: 'The platform refused', cause })
}

/** Its rate limit, or that of a proxy before it. */
export function platformIsBusy(retryAfterSeconds: number, cause: unknown): AppError {
  const detail = 'The platform takes no more requests at present (its rate limit); try again later'
  return new AppError('OVERLOADED', { detail, data: { retryAfterSeconds }, cause })
}

/** Whether the platform reports that the member of a valid access token is no longer in the workspace. Expired and forged tokens have other errors. */
export function isMemberGone(error: unknown): boolean {
  const platformError = platformErrorOf(error)
  return (
    platformError?.facts.code === 'UNAUTHENTICATED' &&
    (platformError.facts.subCode === 'USER_NOT_FOUND' || /^User .*not found/.test(platformError.platformMessage()))
  )
}

function kindOf(message: string, subCode: string | null, code: string | null): PlatformErrorKind {
  if (subCode === 'LIMIT_REACHED' || message.startsWith('Limit reached')) return 'LIMIT_REACHED'
  if (/^(A duplicate entry was detected|Duplicate .+ with value)/.test(message)) return 'DUPLICATE'
  if (code === null && /^(Cannot query field|Unknown type)/.test(message)) return 'UNKNOWN_FIELD'
  if (/^Object \S+ doesn't have any/.test(message)) return 'UNKNOWN_FIELD'
  if (/violates foreign key constraint/.test(message)) return 'VANISHED_RELATION'
  // The first in answers of version 2, the other in those of version 1, which validates operations.
  if (/^(Argument not allowed|Unknown argument)/.test(message)) return 'UNKNOWN_ARGUMENT'
  return 'OTHER'
}
