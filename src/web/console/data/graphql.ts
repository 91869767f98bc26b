import { initGraphQLTada } from 'gql.tada'
import type { introspection } from './generated.ts'

/**
 * A document of the service's own fields, with the types of its variables and data. `npm run check` also validates every document against
 * `schema/`. Fragments are not masked: a document that includes one has its fields.
 */
export const graphql = initGraphQLTada<{
  introspection: introspection
  disableMasking: true
  scalars: {
    ConnectionCursor: string
    DateTime: string
    ConfigurationDocument: Readonly<Record<string, unknown>>
    SectionSchema: Readonly<Record<string, unknown>>
    // The service may know others than the contract.
    TelephonyProvider: string
  }
}>()

/** The values of an enumeration of the schema. */
export type EnumOf<Name extends Parameters<typeof graphql.scalar>[0]> = ReturnType<typeof graphql.scalar<Name>>

export type { ResultOf } from 'gql.tada'
