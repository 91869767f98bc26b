import { type ExecutionResult, type GraphQLFormattedError, OperationTypeNode } from 'graphql'
import { z } from 'zod'
import type { RequestContext } from '../../access/request-context.ts'
import { abortError, type HttpContext } from '../http/http-context.ts'
import { toAppError } from '../http/problem.ts'
import { formattedError } from './errors.ts'
import type { LocalExecution } from './local-execution.ts'
import type { Split, SplitPart } from './plan.ts'
import { invalidAnswer } from './upstream.ts'
import type { UpstreamAnswer } from './whole-answer.ts'

export type Variables = Readonly<Record<string, unknown>>
export type Answer = { readonly data?: Readonly<Record<string, unknown>> | null; readonly errors?: readonly GraphQLFormattedError[] }

export type MixedRequest = {
  readonly split: Split
  readonly variables: Variables | null | undefined
  readonly context: RequestContext
  readonly ctx: HttpContext
}

export type MixedDependencies = {
  readonly local: LocalExecution
  readonly records: { ask(body: string, ctx: HttpContext): Promise<UpstreamAnswer> }
}

/**
 * Runs both sides of a split operation and merges the answers: a query at the same time, a mutation in the order of the document.
 * If our side refuses its part, neither side runs.
 */
export async function runMixed(request: MixedRequest, { local, records }: MixedDependencies): Promise<Answer> {
  const { split, variables, context, ctx } = request
  for (const part of split.parts) {
    const refused = part.document && local.refusal({ document: part.document, variables: onlyUsed(variables, part.variables) }, context)
    if (refused) return toAnswer(refused)
  }
  const runPart = (part: SplitPart): Promise<Answer> => {
    const own = onlyUsed(variables, part.variables)
    return part.document
      ? local.run({ document: part.document, variables: own }, context).then(toAnswer)
      : askPlatform({ part, variables: own, ctx }, records)
  }
  if (split.operation === OperationTypeNode.QUERY) return merge(split, await Promise.all(split.parts.map(runPart)))
  const answers: Answer[] = []
  for (const part of split.parts) {
    const answer = await runPart(part)
    answers.push(answer)
    // A null for the whole answer ends a mutation, as on one schema.
    if (answer.data === undefined || isRisenNull(answer)) break
  }
  return merge(split, answers)
}

/** Some versions of the platform refuse variables that its part does not declare. */
function onlyUsed(variables: Variables | null | undefined, used: ReadonlySet<string>): Variables {
  if (!variables) return {}
  return Object.fromEntries(Object.entries(variables).filter(([name]) => used.has(name)))
}

type PlatformPart = { readonly part: SplitPart; readonly variables: Variables; readonly ctx: HttpContext }

async function askPlatform({ part, variables, ctx }: PlatformPart, records: MixedDependencies['records']): Promise<Answer> {
  try {
    return readGraphQL(await records.ask(JSON.stringify({ query: part.source, variables }), ctx))
  } catch (error) {
    if (ctx.aborted) throw abortError(ctx.aborted)
    const shown = toAppError(error)
    if (shown.reason === 'UNKNOWN') ctx.log.error({ err: error }, 'platform.request-failed')
    else ctx.log.warn({ reason: shown.reason, path: ctx.path }, 'platform.request-failed')
    return { data: null, errors: [formattedError(shown, ctx.requestId)] }
  }
}

const answerSchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.looseObject({ message: z.string() })).optional(),
})

/** The platform's answer, with its errors unchanged. Throws PROVIDER_ANSWER_INVALID if it is not a GraphQL answer. */
export function readGraphQL({ body }: UpstreamAnswer): Answer {
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString())
  } catch {
    throw invalidAnswer()
  }
  const answer = answerSchema.safeParse(parsed)
  if (!answer.success || (answer.data.data === undefined && !answer.data.errors)) throw invalidAnswer()
  const { data, errors } = answer.data
  return { ...(data !== undefined && { data }), ...(errors && { errors }) }
}

function toAnswer({ data, errors }: ExecutionResult): Answer {
  return { ...(data !== undefined && { data }), ...(errors && { errors: errors.map((error) => error.toJSON()) }) }
}

/**
 * One answer in the order of the query. A part that failed as a whole (errors without a path, `data: null`) leaves null in its fields,
 * which are nullable at the platform's root. A part that was refused (no `data`) is the whole answer, like an invalid document. A null that
 * rose from a field to the root makes all of `data` null.
 */
function merge(split: Split, answers: readonly Answer[]): Answer {
  const errors = answers.flatMap((answer) => answer.errors ?? [])
  const refused = answers.find((answer) => answer.data === undefined)
  if (refused) return { errors: refused.errors ?? [] }
  const withErrors = errors.length > 0 ? { errors } : {}
  if (answers.some(isRisenNull)) return { ...withErrors, data: null }
  const fields: [string, unknown][] = []
  const keyOwners = new Map(split.parts.flatMap((part, index) => part.keys.map((key) => [key, index] as const)))
  for (const key of split.keys) {
    const answer = answers[keyOwners.get(key) ?? -1]
    if (!answer) continue
    if (!answer.data) fields.push([key, null])
    else if (Object.hasOwn(answer.data, key)) fields.push([key, answer.data[key]])
  }
  // Not by assignment, because a field may be called `__proto__`.
  return { ...withErrors, data: Object.fromEntries(fields) }
}

/** A null that rose from a field to the root. */
function isRisenNull(answer: Answer): boolean {
  return answer.data === null && (answer.errors?.some((error) => error.path) ?? false)
}
