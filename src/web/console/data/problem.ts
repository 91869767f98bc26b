import type { ServiceError } from '@call-center-sidecar/client'
import { serviceErrorOf } from './service-error.ts'
import { useProblemTexts } from './problem-texts.ts'

/** An error as people need it: what is wrong, and what to do. */
export type Problem = { readonly title: string; readonly advice: string; readonly requestId: string | null }

export function useProblem(error: unknown): Problem {
  return problemOf(error, useProblemTexts())
}

type Texts = ReturnType<typeof useProblemTexts>

/** For code that has the texts already, such as the answer to a press of a button. */
export function problemOf(error: unknown, texts: Texts): Problem {
  const known = serviceErrorOf(error)
  if (!known) return { title: texts.unexpected, advice: texts.reload, requestId: null }
  const [title, advice] = described(known, texts)
  return { title, advice, requestId: known.requestId }
}

/** What the service says is in English and exact; a text of ours replaces it if there is one. */
function described({ code, reason, message, data }: ServiceError, texts: Texts): readonly [title: string, advice: string] {
  if (reason === 'SIGN_IN_REFUSED') return [texts.wrongPassword, texts.wrongPasswordAdvice]
  if (reason === 'WORKSPACE_NOT_SERVED') return [texts.unknownWorkspace, texts.unknownWorkspaceAdvice]
  if (reason === 'ROLE_MISSING') return [texts.noRole, texts.noRoleAdvice]
  const known = {
    NO_ANSWER: [texts.unreachable, texts.unreachableAdvice],
    UPSTREAM_UNAVAILABLE: [texts.unreachable, texts.unreachableAdvice],
    TIMEOUT: [texts.late, texts.lateAdvice],
    UNAUTHENTICATED: [texts.signedOut, texts.signedOutAdvice],
    FORBIDDEN: [texts.forbidden, message],
    RATE_LIMITED: [texts.tooMany, texts.tooManyAdvice(data?.retryAfterSeconds ?? 60)],
    NOT_CONFIGURED: [texts.notConfigured, message],
    BAD_USER_INPUT: [texts.invalid, fieldFaults(data?.fields) ?? message],
  } as const satisfies Readonly<Record<string, readonly [string, string]>>
  return Object.entries(known).find(([name]) => name === code)?.[1] ?? [texts.refused, message]
}

function fieldFaults(fields: readonly { readonly message: string }[] | undefined): string | null {
  return fields && fields.length > 0 ? fields.map(({ message }) => message).join('. ') : null
}
