import { getOperationAST, parse } from 'graphql'
import type { RequestContext } from '../../access/request-context.ts'
import type { PlatformSection } from '../../ports/configuration/platform.ts'
import { AppError } from '../../kernel/errors.ts'
import type { HttpContext } from '../http/http-context.ts'
import type { OperationOutcome } from './answer.ts'
import type { Envelope } from './envelope.ts'
import { formattedError, logProviderFault } from './errors.ts'
import type { LocalExecution } from './local-execution.ts'
import { readGraphQL, runMixed } from './mixed.ts'
import { onlyOperation, type Plan } from './plan.ts'
import type { PlatformRequests } from './platform-requests.ts'
import { platformExtensions } from './stitching/extensions.ts'
import type { StitchedOperation } from './stitching/messages.ts'
import type { WorkspaceSchemas } from './stitching/workspace-schemas.ts'

export type RunnerDependencies = {
  readonly local: LocalExecution
  readonly records: PlatformRequests
  readonly schemas: WorkspaceSchemas
  readonly platformSection: (workspaceId: string) => Promise<PlatformSection>
}

export type Operation<Kinds extends Plan['kind'] = 'local' | 'mixed' | 'stitched'> = {
  readonly ctx: HttpContext
  readonly envelope: Envelope
  readonly plan: Extract<Plan, { kind: Kinds }>
  readonly context: RequestContext
}

/** Runs what is not simply passed on. */
export type OperationRunner = {
  /** Refusals of the operation (no token, no schema) are results; faults of the way there are thrown. */
  run(operation: Operation): Promise<OperationOutcome>
  /** The answers of a subscription on the workspace's stitched schema, each as JSON. */
  stream(operation: Operation<'stitched'>): Promise<AsyncIterable<Uint8Array>>
}

export function createOperationRunner({ local, records, schemas, platformSection }: RunnerDependencies): OperationRunner {
  const stitchedOperation = async ({ envelope, context }: Operation<'stitched'>): Promise<StitchedOperation> => {
    const { principal, accessToken } = await context.actor()
    return {
      source: envelope.query,
      operationName: envelope.operationName === '' ? null : envelope.operationName,
      variables: envelope.variables,
      workspaceId: principal.workspaceId,
      accessToken,
      requestId: context.requestId,
      extensions: platformExtensions(await platformSection(principal.workspaceId)),
    }
  }

  const runStitched = async (operation: Operation<'stitched'>): Promise<OperationOutcome> => {
    const { envelope, plan, context } = operation
    const stitched = await stitchedOperation(operation)
    try {
      return await schemas.run(stitched, operation)
    } catch (error) {
      // What is ours alone does not need the platform; who asks is known by now.
      const unreadable = error instanceof AppError && error.reason !== 'TOKEN_REFUSED'
      if (!plan.local || !unreadable || operation.ctx.aborted) throw error
      context.log.warn({ reason: error.reason }, 'the workspace schema cannot be read: the local one answers')
      const document = parse(envelope.query)
      const asked = getOperationAST(document, stitched.operationName)
      const alone = asked ? onlyOperation(document, asked) : document
      return { result: await local.run({ document: alone, variables: envelope.variables }, context) }
    }
  }

  const runPlanned = async (operation: Operation): Promise<OperationOutcome> => {
    const { plan, envelope, context, ctx } = operation
    if (plan.kind === 'local') return { result: await local.run({ document: plan.document, variables: envelope.variables }, context) }
    if (plan.kind === 'stitched') return runStitched({ ...operation, plan })
    return { result: await runMixed({ split: plan.split, variables: envelope.variables, context, ctx }, { local, records }) }
  }

  const run = async (operation: Operation): Promise<OperationOutcome> => {
    const { plan, ctx, envelope } = operation
    if (plan.kind === 'local' || plan.credentials.length === 0) return runPlanned(operation)
    const settleGate = await records.enterGate(ctx, { credentials: plan.credentials, variables: envelope.variables })
    try {
      const ran = await runPlanned(operation)
      settleGate('result' in ran ? { ...readOutcome(JSON.stringify(ran.result)) } : readOutcome(Buffer.from(ran.body)))
      return ran
    } catch (error) {
      settleGate(null)
      throw error
    }
  }

  return {
    run: (operation) =>
      run(operation).catch((error: unknown) => {
        if (error instanceof AppError && isRefusal(error)) {
          logProviderFault(error, operation.context)
          return { result: { errors: [formattedError(error, operation.context.requestId)] } }
        }
        throw error
      }),
    stream: async (operation) => schemas.stream(await stitchedOperation(operation), operation),
  }
}

function readOutcome(body: Buffer | string): ReturnType<typeof readGraphQL> {
  return readGraphQL({ status: 200, contentType: 'application/json', body: Buffer.from(body) })
}

/** About the operation, not about the way there: clients look for these among the errors of an answer. */
function isRefusal({ code }: AppError): boolean {
  return code !== 'TIMEOUT' && code !== 'RATE_LIMITED' && code !== 'INTERNAL_SERVER_ERROR'
}
