import type { Answer } from './refusals.ts'
import type { Parameter, RequestBody } from './request.ts'

/** One operation of the description. */
export type OpenApiOperation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  /** Empty for what takes no token; what visitors ask takes the widget's key. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Answer>>
}
