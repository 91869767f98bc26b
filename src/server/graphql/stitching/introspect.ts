import type { ExecutionResult, Executor } from '@graphql-tools/utils'
import { getIntrospectionQuery, type IntrospectionQuery, OperationTypeNode, parse } from 'graphql'
import { AppError, type ErrorReason } from '../../../kernel/errors.ts'
import { isRecord } from '../envelope.ts'
import type { PlatformContext } from './platform-context.ts'

/** The workspace's schema cannot be read. */
export class SchemaUnavailable extends Error {
  readonly reason: ErrorReason
  constructor(reason: ErrorReason, message: string) {
    super(message)
    this.reason = reason
  }
}

const introspectionDocument = parse(getIntrospectionQuery({ descriptions: true }))

/** Asks an endpoint of the platform for its schema. Throws SchemaUnavailable. */
export async function introspect(execute: Executor<PlatformContext>, platform: PlatformContext): Promise<IntrospectionQuery> {
  const result = await execute({ document: introspectionDocument, context: platform, operationType: OperationTypeNode.QUERY })
  if (Symbol.asyncIterator in result) throw unreadable()
  if (!isIntrospection(result.data)) throw refusalIn(result)
  return result.data
}

export function isIntrospection(data: unknown): data is IntrospectionQuery {
  return isRecord(data) && isRecord(data['__schema'])
}

function unreadable(): SchemaUnavailable {
  return new SchemaUnavailable('PROVIDER_ANSWER_INVALID', 'The platform gave an answer that cannot be read')
}

function refusalIn({ errors }: ExecutionResult): SchemaUnavailable {
  const [error] = errors ?? []
  const { code, reason } = error?.extensions ?? {}
  if (code === 'UNAUTHENTICATED') return new SchemaUnavailable('TOKEN_REFUSED', new AppError('TOKEN_REFUSED').message)
  if (!error || reason === 'PROVIDER_ANSWER_INVALID') return unreadable()
  if (code === 'FORBIDDEN') return new SchemaUnavailable('PLATFORM_REFUSED', 'The platform does not show its schema to this account')
  return new SchemaUnavailable('PROVIDER_UNAVAILABLE', "The platform's schema cannot be read at the moment")
}
