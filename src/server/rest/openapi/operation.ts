import type { Answer } from './refusals.ts'
import type { Parameter, RequestBody } from './request.ts'

/** One operation of the description. */
export type OpenApiOperation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  /** Empty if the operation needs no token. The widget's paths need its key. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Answer>>
}
