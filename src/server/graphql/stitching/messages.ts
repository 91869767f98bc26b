import type { LoggedError } from '../../../kernel/logged-error.ts'
import type { ErrorReason } from '../../../kernel/errors.ts'
import type { LoopReading } from '../../../kernel/loop-watch.ts'
import type { Endpoint } from '../root-selections.ts'
import type { ObjectNames } from './object-names.ts'

/** The data with which the worker starts. */
export type WorkerSettings = {
  /** The addresses of the platform's endpoints. */
  readonly endpoints: Readonly<Record<Endpoint, string>>
  readonly contract: string
  /** Stitched schemas in memory at once. The least recently used one is dropped first. */
  readonly maxSchemas: number
  /** A schema of this age is read again in the background. */
  readonly refreshMs: number
  /** The least time between two readings because of an unknown field. */
  readonly rereadMs: number
  readonly deadlineMs: number
  /** The folder of the workspaces' last schemas; null: they are not stored. */
  readonly directory: string | null
}

export type StitchedOperation = {
  readonly source: string
  readonly operationName: string | null
  readonly variables: Readonly<Record<string, unknown>> | null
  readonly workspaceId: string
  readonly accessToken: string
  readonly requestId: string
  readonly objects: ObjectNames
  /** It asks for the schema itself. */
  readonly introspects: boolean
  /** Instead of running `source`, the answer is the schema as SDL. */
  readonly wantsSdl?: boolean
}

/** The data model of a workspace has changed. The token is that of the actor who changed it. */
export type ModelChange = Pick<StitchedOperation, 'workspaceId' | 'accessToken' | 'requestId'>

export type ToWorker =
  | ({ readonly type: 'execute'; readonly id: number; readonly isTraced: boolean } & StitchedOperation)
  | { readonly type: 'abort'; readonly id: number }
  | ({ readonly type: 'modelChanged' } & ModelChange)
  /** The answer to `local` and `localNext`: an execution result as JSON; empty at the end of a stream. */
  | { readonly type: 'localAnswer'; readonly call: number; readonly answer: string }
  /** The answer to `requestBegins`; null if the operation is over. */
  | { readonly type: 'traced'; readonly call: number; readonly traceparent: string | null }

export type FromWorker =
  /** Our part of a stitched operation. The service runs it on the local schema, in the context of the request `id`. */
  | {
      readonly type: 'local'
      readonly id: number
      readonly call: number
      readonly source: string
      readonly variables: object
      /** It reads a field that we add to a type of the platform, for records that the platform has shown. */
      readonly added: boolean
    }
  /** The same for a subscription: it begins, its next answer is wanted, it ends. */
  | { readonly type: 'localStream'; readonly id: number; readonly call: number; readonly source: string; readonly variables: object }
  | { readonly type: 'localNext'; readonly call: number }
  | { readonly type: 'localStop'; readonly call: number }
  /** The whole answer, or the next one of a subscription (`more`), as JSON in UTF-8. `executed`: false if the document was refused. */
  | {
      readonly type: 'answer'
      readonly id: number
      readonly body: Uint8Array
      readonly executed: boolean
      readonly more: boolean
      /** Why the platform's part is missing, for the log. */
      readonly platformFailures: readonly ErrorReason[]
    }
  | { readonly type: 'failed'; readonly id: number; readonly reason: ErrorReason; readonly detail: string; readonly cause: LoggedError }
  /** A request to the platform for the operation has ended: whether the platform works. */
  | { readonly type: 'verdict'; readonly id: number; readonly works: boolean }
  /** A request to the platform for a traced operation begins, and ends: with a status, or the kind of error. */
  | { readonly type: 'requestBegins'; readonly id: number; readonly call: number }
  | { readonly type: 'requestEnds'; readonly call: number; readonly outcome: number | string }
  /** A subscription has ended. */
  | { readonly type: 'end'; readonly id: number }
  /** An operation takes the workspace's schema. `isCached`: it need not wait for it. */
  | { readonly type: 'taken'; readonly isCached: boolean }
  /** Ten times a second while operations run: what the thread's event loop does. */
  | { readonly type: 'load'; readonly reading: LoopReading }
  | { readonly type: 'built'; readonly workspaceId: string; readonly figures: BuildFigures }

export type BuildFigures = {
  /** Where the schema was read. */
  readonly source: 'PLATFORM' | 'DISK'
  readonly readMs: number
  readonly buildMs: number
  readonly introspectionBytes: number
  /** Types of ours that were renamed because the workspace has types of those names. */
  readonly renamed: readonly string[]
  /** Root fields of the workspace that ours replace. */
  readonly hidden: readonly string[]
  readonly schemas: number
}
