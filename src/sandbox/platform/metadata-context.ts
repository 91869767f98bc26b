import type { Caller } from './callers.ts'
import type { World } from './fixtures.ts'

export type MetadataContext = { readonly world: World; readonly caller: Caller }
/** A root field: graphql-js has checked the arguments against the schema; each resolver parses what it uses. */
type MetadataResolver = (args: unknown, context: MetadataContext) => unknown
export type MetadataResolvers = Readonly<Record<string, MetadataResolver>>
