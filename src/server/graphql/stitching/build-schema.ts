import type { SubschemaConfig } from '@graphql-tools/delegate'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { stitchSchemas } from '@graphql-tools/stitch'
import type { Executor } from '@graphql-tools/utils'
import { RenameTypes } from '@graphql-tools/wrap'
import {
  buildClientSchema,
  type GraphQLSchema,
  type IntrospectionQuery,
  type IntrospectionType,
  isIntrospectionType,
  isSpecifiedScalarType,
} from 'graphql'
import { instantScalar } from '../instant.ts'
import { canAdd, extensionResolver, extensionSdl } from './extension-resolvers.ts'
import type { PlatformExtension } from './extensions.ts'

export type StitchingParts = {
  readonly introspection: IntrospectionQuery
  readonly contract: string
  readonly extensions: readonly PlatformExtension[]
  readonly platformExecutor: Executor
  readonly localExecutor: Executor
}

export type StitchedSchema = { readonly schema: GraphQLSchema; readonly renamed: readonly string[]; readonly hidden: readonly string[] }

/** The workspace's schema and ours as one. Everything is made afresh: stitching changes what it is given. Holds no token. */
export function buildStitchedSchema({
  introspection,
  contract,
  extensions,
  platformExecutor,
  localExecutor,
}: StitchingParts): StitchedSchema {
  const ours = makeExecutableSchema({ typeDefs: contract, resolvers: { Instant: instantScalar } })
  const { platform, hidden } = withoutOurRootFields(introspection, ours)
  const renamed = commonTypeNames(introspection, ours)
  const localSubschema: SubschemaConfig = {
    schema: ours,
    executor: localExecutor,
    // Not batched: a null that one of our fields lets rise to the root must not take its neighbours' own errors away.
    transforms: renamed.length === 0 ? [] : [new RenameTypes((name) => (renamed.includes(name) ? `Sidecar${name}` : name))],
  }
  const platformSchema = buildClientSchema(platform, { assumeValid: true })
  const added = extensions.filter((extension) => canAdd(extension, { platformSchema, ours }))
  const nameOf = (type: string): string => (renamed.includes(type) ? `Sidecar${type}` : type)
  const schema = stitchSchemas({
    subschemas: [{ schema: platformSchema, executor: platformExecutor, batch: true }, localSubschema],
    typeDefs: added.map((extension) => extensionSdl(extension, nameOf(extension.fieldType))),
    resolvers: added.map((extension) => extensionResolver(extension, { platformSchema, localSubschema, ours })),
    assumeValid: true,
  })
  return { schema, renamed, hidden }
}

/** Our root fields are reserved and win. */
function withoutOurRootFields(
  introspection: IntrospectionQuery,
  ours: GraphQLSchema,
): { platform: IntrospectionQuery; hidden: readonly string[] } {
  const { __schema: whole } = introspection
  const { queryType, mutationType, subscriptionType, types } = whole
  const own = new Map([
    [queryType.name, ours.getQueryType()?.getFields()],
    [mutationType?.name, ours.getMutationType()?.getFields()],
    [subscriptionType?.name, ours.getSubscriptionType()?.getFields()],
  ])
  const hidden: string[] = []
  const cleaned = types.map((type): IntrospectionType => {
    const fields = own.get(type.name)
    if (!fields || type.kind !== 'OBJECT') return type
    hidden.push(...type.fields.filter(({ name }) => name in fields).map(({ name }) => `${type.name}.${name}`))
    return { ...type, fields: type.fields.filter(({ name }) => !(name in fields)) }
  })
  return { platform: { __schema: { ...whole, types: cleaned } }, hidden }
}

/** Our types whose names the workspace uses too; the three root types are meant to be one. */
function commonTypeNames(introspection: IntrospectionQuery, ours: GraphQLSchema): readonly string[] {
  const { __schema: whole } = introspection
  const { queryType, mutationType, subscriptionType, types } = whole
  const roots = new Set([queryType.name, mutationType?.name, subscriptionType?.name])
  const theirs = new Set(types.map(({ name }) => name))
  return Object.values(ours.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type) && !roots.has(type.name) && theirs.has(type.name))
    .map(({ name }) => name)
}
