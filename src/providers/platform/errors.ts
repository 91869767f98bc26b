import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { PlatformFault, platformFaultOf, type PlatformFaultFacts, type PlatformFaultKind } from './failure.ts'

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

/** The platform's error as ours; its own words go to a client only where it says what the caller's role may not do. */
export function appErrorOf({ message, extensions }: PlatformErrorEntry): AppError {
  const { code, subCode, conflictingRecordId } = extensions
  const facts: PlatformFaultFacts = { code, subCode, kind: kindOf(message, subCode, code), conflictingRecordId }
  const cause = new PlatformFault(facts, message)
  if (facts.kind === 'LIMIT_REACHED') return new AppError('OVERLOADED', { data: { retryAfterSeconds: limitWindowSeconds }, cause })
  if (subCode === 'PERMISSION_DENIED') return new AppError('PLATFORM_REFUSED', { detail: message, cause })
  if (code === 'UNAUTHENTICATED' || subCode === 'INVALID_JWT_TOKEN_TYPE') return new AppError('TOKEN_REFUSED', { cause })
  // Version 1.3 says this one under INTERNAL_SERVER_ERROR.
  if (code === 'FORBIDDEN' || message === 'Forbidden resource') return new AppError('PLATFORM_REFUSED', { cause })
  if (code === 'NOT_FOUND') return new AppError('NOT_FOUND', { cause })
  return new AppError('PROVIDER_REFUSED', { detail: 'The platform refused', cause })
}

/** Whether the platform says, of a genuine access token, that its member is no longer in the workspace; expired and forged ones differ. */
export function isMemberGone(error: unknown): boolean {
  const fault = platformFaultOf(error)
  return fault?.facts.code === 'UNAUTHENTICATED' && (fault.facts.subCode === 'USER_NOT_FOUND' || /^User .*not found/.test(fault.words()))
}

function kindOf(message: string, subCode: string | null, code: string | null): PlatformFaultKind {
  if (subCode === 'LIMIT_REACHED' || message.startsWith('Limit reached')) return 'LIMIT_REACHED'
  if (/^(A duplicate entry was detected|Duplicate .+ with value)/.test(message)) return 'DUPLICATE'
  if (code === null && /^(Cannot query field|Unknown type|Unknown argument)/.test(message)) return 'UNKNOWN_FIELD'
  if (/^Object \S+ doesn't have any/.test(message)) return 'UNKNOWN_FIELD'
  return 'OTHER'
}
