import type { DocumentNode, TypedQueryDocumentNode } from 'graphql'
import type { ErrorReason } from '../../kernel/errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Where an argument comes from: the JSON body as a whole or one of its fields, a `{parameter}` of the path, a query parameter, or the
 * version that the client has seen (`If-Match`).
 */
export type Source = 'body' | `body.${string}` | `path.${string}` | `query.${string}` | 'header.if-match'

/** One REST operation: a request that runs a named operation of `operations/*.graphql`, and whose answer is that operation's root field. */
export type Row = {
  readonly method: Method
  /** Parameters stand in braces: `/api/calls/{ucid}/disposition`. */
  readonly path: string
  readonly operation: DocumentNode
  /** Variable, or `variable.field` of an input object, to its source. */
  readonly arguments: Readonly<Partial<Record<string, Source>>>
  readonly status: number
  readonly summary: string
  /** What it refuses beyond missing rights and bad input, for the description. */
  readonly refusals: readonly ErrorReason[]
  /** A second status for some answers, such as 202 for work that goes on. */
  readonly otherwise: OtherStatus | null
  /** Adds headers from the answer, such as an ETag. */
  headers(answer: unknown): Readonly<Record<string, string>>
}

export type OtherStatus = { readonly status: number; readonly summary: string; when(answer: unknown): boolean }

type RowShape<Answer, Variables> = {
  readonly method: Method
  readonly path: `/${string}`
  readonly arguments?: { readonly [Name in Target<Variables>]?: Source }
  /** 200 where left out. */
  readonly status?: number
  readonly summary: string
  readonly refusals?: readonly ErrorReason[]
  readonly otherwise?: { readonly status: number; readonly summary: string; when(answer: Answer): boolean }
  headers?(answer: Answer): Readonly<Record<string, string>>
}

type Target<Variables> = Extract<keyof Variables, string> | FieldTarget<Variables, Extract<keyof Variables, string>>
type FieldTarget<Variables, Name extends Extract<keyof Variables, string>> = Name extends string
  ? `${Name}.${InputField<NonNullable<Variables[Name]>>}`
  : never
type InputField<Input> = Input extends object ? Extract<keyof Input, string> : never

/** A row of the table; the compiler holds its arguments and its functions against the operation's types. */
export function row<Data, Variables>(
  operation: TypedQueryDocumentNode<Data, Variables>,
  shape: RowShape<Data[keyof Data], Variables>,
): Row {
  const defaults = { arguments: {}, status: 200, refusals: [], otherwise: null, headers: () => ({}) }
  return { ...defaults, ...shape, operation }
}
