import type { Mutation, MutationResolvers, Query, QueryResolvers } from '../../generated.ts'
import type { ErrorReason } from '../../kernel/errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Where an argument comes from: the JSON body as a whole or one of its fields, a `{parameter}` of the path, a query parameter, or the
 * version that the client has seen (`If-Match`).
 */
export type Source = 'body' | `body.${string}` | `path.${string}` | `query.${string}` | 'header.if-match'

/** One REST operation: a request that runs one root field of the schema. The field's value is the answer, with all its fields. */
export type Row = {
  readonly method: Method
  /** Parameters are in braces: `/api/calls/{ucid}/disposition`. */
  readonly path: string
  readonly kind: 'query' | 'mutation'
  readonly rootField: string
  /** The operation's id in the API description. The root field's name, unless two rows run the same field. */
  readonly name: string
  /** An argument of the root field, `argument.field` of an input object, or `rootField_field_argument` of a field of the answer, to its source. */
  readonly arguments: Readonly<Partial<Record<string, Source>>>
  /** Arguments that are the same for every request. */
  readonly constants: Readonly<Record<string, unknown>>
  /** A list in an older form: an object with the entries of the page in this field, and `nextCursor`. Null: the array of the entries. */
  readonly listName: string | null
  /** Fields of the answer that are selected only if this boolean query parameter is true, because they are slow or cost money. */
  readonly onRequest: Readonly<Partial<Record<string, QuerySource>>>
  /** Fields of the answer that are left out if this boolean query parameter is false. */
  readonly unless: Readonly<Partial<Record<string, QuerySource>>>
  /** Unknown fields of the body are ignored instead of refused, because older clients send some. */
  readonly ignoresUnknownFields: boolean
  /** The argument, in seconds to wait, that `Prefer: respond-async` makes 0. Null: the row answers when it is done. */
  readonly waitArgument: string | null
  readonly status: number
  readonly summary: string
  /** The errors of this operation in the API description, besides missing rights and invalid input. */
  readonly refusals: readonly ErrorReason[]
  /** A second status for some answers, such as 202 for work that is not finished. */
  readonly otherwise: OtherStatus | null
  /** Adds headers from the answer, such as an ETag. */
  headers(answer: unknown): Readonly<Record<string, string>>
}

export type QuerySource = `query.${string}`
/** `type`: the answer's type if it is always the same one of a union; the other status then never has it. */
export type OtherStatus = { readonly status: number; readonly summary: string; readonly type?: string; when(answer: unknown): boolean }

type RowShape<Answer, Arguments> = {
  readonly method: Method
  readonly path: `/${string}`
  readonly name?: string
  readonly arguments?: { readonly [Name in Target<Arguments> | `${string}_${FieldName<Answer>}_${string}`]?: Source }
  readonly constants?: Readonly<Partial<Arguments>>
  readonly listName?: string
  readonly onRequest?: { readonly [Name in FieldName<Answer>]?: QuerySource }
  readonly unless?: { readonly [Name in FieldName<Answer>]?: QuerySource }
  readonly ignoresUnknownFields?: boolean
  readonly waitArgument?: Target<Arguments>
  /** Default: 200. */
  readonly status?: number
  readonly summary: string
  readonly refusals?: readonly ErrorReason[]
  readonly otherwise?: { readonly status: number; readonly summary: string; readonly type?: string; when(answer: Answer): boolean }
  headers?(answer: Answer): Readonly<Record<string, string>>
}

type Target<Arguments> = Extract<keyof Arguments, string> | FieldTarget<Arguments, Extract<keyof Arguments, string>>
type FieldTarget<Arguments, Name extends Extract<keyof Arguments, string>> = Name extends string
  ? `${Name}.${FieldName<Arguments[Name]>}`
  : never
type FieldName<Value> = NonNullable<Value> extends object ? Extract<keyof NonNullable<Value>, string> : never

type ArgumentsOf<Resolver> =
  Extract<Resolver, (...given: never) => unknown> extends (source: never, given: infer Given, context: never) => unknown ? Given : never

/** A row that runs a field of Query. The compiler checks its arguments and functions against the schema's types. */
export function query<Field extends keyof Query & keyof QueryResolvers>(
  rootField: Field,
  shape: RowShape<Query[Field], ArgumentsOf<QueryResolvers[Field]>>,
): Row {
  return { ...defaults, name: rootField, ...shape, kind: 'query', rootField }
}

/** As `query`, for a field of Mutation. */
export function mutation<Field extends keyof Mutation & keyof MutationResolvers>(
  rootField: Field,
  shape: RowShape<Mutation[Field], ArgumentsOf<MutationResolvers[Field]>>,
): Row {
  return { ...defaults, name: rootField, ...shape, kind: 'mutation', rootField }
}

const defaults = {
  arguments: {},
  constants: {},
  listName: null,
  onRequest: {},
  unless: {},
  ignoresUnknownFields: false,
  waitArgument: null,
  status: 200,
  refusals: [],
  otherwise: null,
  headers: () => ({}),
}
