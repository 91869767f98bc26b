import type { ExecutionRequest, Executor } from '@graphql-tools/utils'
import type { GraphQLError } from 'graphql'
import type { Endpoint } from '../root-selections.ts'
import type { RequestSpan } from './request-spans.ts'
import type { TransportReason } from './transport-errors.ts'

/** The context of each platform request of a stitched operation. The request carries the actor's own token. */
export type PlatformContext = {
  readonly accessToken: string
  readonly requestId: string
  readonly signal: AbortSignal
  /** Who runs the parts of the operation: the schema itself has nobody, so that all services of a thread can share it. */
  readonly executors: Readonly<Record<Endpoint, Executor<PlatformContext>>> & { readonly local: Executor<PlatformContext> }
  /** The errors without a path of each request to the platform. They concern the whole request and are shown once. */
  readonly wholeErrors: Map<string, readonly GraphQLError[]>
  /** Why answers of the platform were not usable, for the log. */
  readonly failures: Set<TransportReason>
  /** Begins the span of a request; null if the operation is not traced. */
  readonly beginSpan: (() => Promise<RequestSpan | null>) | null
  /** Called for each request that was sent: whether the platform works. Not for one that was aborted or took too long, nor for a stream. */
  readonly onVerdict: (works: boolean) => void
}

/** A request of the stitched schema to the platform. */
export type PlatformExecution = Omit<ExecutionRequest, 'context'> & { readonly context: PlatformContext }
