import { setImmediate as immediate } from 'node:timers/promises'
import { type ExecutionResult, OperationTypeNode } from 'graphql'
import type { RequestContext } from '../../access/request-context.ts'
import { abortError, type HttpContext } from '../http/http-context.ts'
import { toAppError } from '../http/problem.ts'
import { formattedError } from './errors.ts'
import type { LocalExecution } from './local-execution.ts'
import type { Split, SplitPart } from './split.ts'
import type { Endpoint } from './root-selections.ts'
import { type Answer, readGraphQL } from './read-graphql.ts'
import { reasonOfRefusal, withCodes } from './platform-errors.ts'
import { isAnonymous } from './unknown-field.ts'
import type { UpstreamAnswer } from './whole-answer.ts'

type Variables = Readonly<Record<string, unknown>>

export type MixedRequest = {
  readonly split: Split
  readonly variables: Variables | null | undefined
  readonly context: RequestContext
  readonly ctx: HttpContext
}

type Asked = { ask(body: string, ctx: HttpContext): Promise<UpstreamAnswer> }

/**
 * Runs the parts of a split operation and merges the answers: a query's at the same time, a mutation's in the order of the document. If our
 * side refuses its part, no part runs.
 */
export async function runMixed(
  request: MixedRequest,
  { local, endpoints }: { readonly local: LocalExecution; readonly endpoints: Readonly<Record<Endpoint, Asked>> },
): Promise<Answer> {
  const { split, variables, context, ctx } = request
  for (const part of split.parts) {
    const refused = part.document && local.refusal({ document: part.document, variables: onlyUsed(variables, part.variables) }, context)
    if (refused) return toAnswer(refused)
  }
  const runPart = (part: SplitPart): Promise<Answer> => {
    const own = onlyUsed(variables, part.variables)
    if (part.document) return local.run({ document: part.document, variables: own }, context).then(toAnswer)
    return askPlatform({ part, variables: own, ctx }, part.side === 'metadata' ? endpoints.metadata : endpoints.records)
  }
  if (split.operation === OperationTypeNode.QUERY) return merge(request, await runAtOnce(split.parts, runPart))
  const answers: Answer[] = []
  for (const part of split.parts) {
    const answer = await runPart(part)
    answers.push(answer)
    // A null for the whole answer ends a mutation, as on one schema.
    if (part.document && isRisenNull(answer)) break
  }
  return merge(request, answers)
}

/** The platform is asked first and works while our part runs. Undici writes a request after one turn of the event loop. */
async function runAtOnce(parts: readonly SplitPart[], runPart: (part: SplitPart) => Promise<Answer>): Promise<readonly Answer[]> {
  const asked = parts.map((part) => (part.document ? null : runPart(part)))
  const written = immediate()
  return Promise.all(parts.map((part, index) => asked[index] ?? written.then(() => runPart(part))))
}

/** Some versions of the platform refuse variables that its part does not declare. */
function onlyUsed(variables: Variables | null | undefined, used: ReadonlySet<string>): Variables {
  if (!variables) return {}
  return Object.fromEntries(Object.entries(variables).filter(([name]) => used.has(name)))
}

type PlatformPart = { readonly part: SplitPart; readonly variables: Variables; readonly ctx: HttpContext }

async function askPlatform({ part, variables, ctx }: PlatformPart, endpoint: Asked): Promise<Answer> {
  try {
    const came = await endpoint.ask(JSON.stringify({ query: part.source, variables }), ctx)
    const answer = readGraphQL(came)
    const whole = reasonOfRefusal({ status: came.status, hasData: answer.data !== undefined })
    return withCodes(answer, ctx.requestId, isAnonymous(ctx) ? 'TOKEN_MISSING' : whole)
  } catch (error) {
    if (ctx.aborted) throw abortError(ctx.aborted)
    const shown = toAppError(error)
    if (shown.reason === 'UNKNOWN') ctx.log.error({ err: error }, 'platform.request-failed')
    else ctx.log.warn({ reason: shown.reason, route: ctx.route }, 'platform.request-failed')
    return { data: null, errors: [formattedError(shown, ctx.requestId)] }
  }
}

function toAnswer({ data, errors }: ExecutionResult): Answer {
  return { ...(data !== undefined && { data }), ...(errors && { errors: errors.map((error) => error.toJSON()) }) }
}

/**
 * One answer in the order of the query. A part of the platform that failed as a whole leaves null in its fields, and the other parts keep
 * their data. A null that rose from a field of ours to the root makes all of `data` null, as on one schema. Without any data the answer has
 * errors only, like that to an invalid document.
 */
function merge({ split }: MixedRequest, answers: readonly Answer[]): Answer {
  const errors = answers.flatMap((answer) => answer.errors ?? [])
  if (answers.every((answer) => answer.data === undefined)) return { errors }
  const withErrors = errors.length > 0 ? { errors } : {}
  if (split.parts.some((part, index) => part.document && answers[index] && isRisenNull(answers[index])))
    return { ...withErrors, data: null }
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
