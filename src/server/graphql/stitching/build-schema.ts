import type { SubschemaConfig } from '@graphql-tools/delegate'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { stitchSchemas } from '@graphql-tools/stitch'
import type { Executor } from '@graphql-tools/utils'
import { FilterRootFields, RenameTypes } from '@graphql-tools/wrap'
import {
  buildClientSchema,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type IntrospectionQuery,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  OperationTypeNode,
} from 'graphql'
import type { Endpoint } from '../root-selections.ts'
import { canAdd, extensionResolver, extensionSdl } from './extension-resolvers.ts'
import { platformExtensions } from './extensions.ts'
import { linkResolver, linkSdl, usableLink } from './link-resolvers.ts'
import { metadataTransforms } from './metadata-subschema.ts'
import type { ObjectNames } from './object-names.ts'
import type { PlatformContext } from './platform-context.ts'
import { recordLinks } from './record-links.ts'

export type StitchingParts = {
  readonly introspections: Readonly<Record<Endpoint, IntrospectionQuery>>
  readonly contract: string
  readonly objects: ObjectNames
}

/** `hidden` are root fields of the platform that ours replace, `renamed` types of ours that got the prefix `Sidecar`. */
export type StitchedSchema = { readonly schema: GraphQLSchema; readonly renamed: readonly string[]; readonly hidden: readonly string[] }

/**
 * Stitches the workspace's records, the platform's metadata endpoint and our schema. Our root fields are reserved and win. The types and root
 * fields of the records keep their names; see metadata-subschema.ts for the metadata endpoint. The schemas are made for each call, because
 * stitching changes its input. The result holds no token and no connection:
 * the context of an operation names who runs its parts.
 */
export function buildStitchedSchema(parts: StitchingParts): StitchedSchema {
  const { introspections, contract, objects } = parts
  // Without our scalars' rules: the local part of an operation checks them, and the values of a scalar that both have pass unchanged.
  const ours = makeExecutableSchema({ typeDefs: contract })
  const records = buildClientSchema(introspections.records, { assumeValid: true })
  const metadata = buildClientSchema(introspections.metadata, { assumeValid: true })
  const hidden = [...new Set([...commonRootFields(records, ours), ...commonRootFields(metadata, ours)])]
  const renamed = commonTypeNames(records, ours)
  const nameOf = (type: string): string => (renamed.includes(type) ? `Sidecar${type}` : type)
  const isShown = (operation: string, field: string | undefined): boolean => !hidden.includes(`${operation}.${field ?? ''}`)
  const withoutHidden = hidden.length === 0 ? [] : [new FilterRootFields(isShown)]
  const recordsSubschema: SubschemaConfig = { schema: records, executor: executors.records, batch: true, transforms: withoutHidden }
  const metadataSubschema: SubschemaConfig = {
    schema: metadata,
    executor: executors.metadata,
    batch: true,
    transforms: [...withoutHidden, ...metadataTransforms(metadata, { records, ours })],
  }
  const localSubschema: SubschemaConfig = {
    schema: ours,
    executor: executors.local,
    // Not batched: a null that one of our fields lets rise to the root must not remove the errors of other fields.
    transforms: renamed.length === 0 ? [] : [new RenameTypes(nameOf)],
  }
  // Not batched: the platform takes a root field once in a request.
  const linked: SubschemaConfig = { schema: records, executor: executors.records }
  const links = recordLinks(objects).flatMap((link) => usableLink(link, { records, ours }) ?? [])
  const added = platformExtensions(objects).filter((extension) => canAdd(extension, { platformSchema: records, ours }))
  const schema = stitchSchemas({
    subschemas: [recordsSubschema, metadataSubschema, localSubschema],
    typeDefs: [
      ...added.map((extension) => extensionSdl(extension, nameOf(extension.fieldType))),
      ...links.map((link) => linkSdl(link, nameOf(link.typeName))),
    ],
    resolvers: [
      ...added.map((extension) => extensionResolver(extension, { platformSchema: records, localSubschema, ours })),
      ...links.map((link) => linkResolver(link, nameOf(link.typeName), linked)),
    ],
    assumeValid: true,
  })
  return { schema, renamed, hidden }
}

/** Each operation brings who runs its parts. */
const executors: Readonly<Record<keyof PlatformContext['executors'], Executor<PlatformContext>>> = {
  records: (request) => executorsOf(request.context).records(request),
  metadata: (request) => executorsOf(request.context).metadata(request),
  local: (request) => executorsOf(request.context).local(request),
}

function executorsOf(context: PlatformContext | undefined): PlatformContext['executors'] {
  if (!context) throw new TypeError('A part of a stitched operation needs the context of its request')
  return context.executors
}

const rootTypes = [
  ['Query', OperationTypeNode.QUERY],
  ['Mutation', OperationTypeNode.MUTATION],
  ['Subscription', OperationTypeNode.SUBSCRIPTION],
] as const

/** The root fields that both have, for example `Query.leads`. */
function commonRootFields(platformSchema: GraphQLSchema, ours: GraphQLSchema): readonly string[] {
  return rootTypes.flatMap(([name, operation]) => {
    const own = ours.getRootType(operation)?.getFields() ?? {}
    const fields = Object.keys(platformSchema.getRootType(operation)?.getFields() ?? {})
    return fields.filter((field) => field in own).map((field) => `${name}.${field}`)
  })
}

/** The types that both have, without the three root types and those that are merged: scalars, and `PageInfo`, whose name Relay requires. */
function commonTypeNames(platformSchema: GraphQLSchema, ours: GraphQLSchema): readonly string[] {
  const roots = new Set(rootTypes.map(([, operation]) => platformSchema.getRootType(operation)?.name))
  return Object.values(ours.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type) && !roots.has(type.name))
    .filter((type) => !isSameType(type, platformSchema.getType(type.name)))
    .flatMap(({ name }) => (platformSchema.getType(name) ? [name] : []))
}

function isSameType(own: GraphQLNamedType, other: GraphQLNamedType | undefined): boolean {
  return isScalarType(own)
    ? isScalarType(other)
    : own.name === 'PageInfo' && isObjectType(other) && isObjectType(own) && shapeOf(own) === shapeOf(other)
}

function shapeOf(type: GraphQLObjectType): string {
  return Object.values(type.getFields())
    .map((field) => `${field.name}: ${field.type.toString()}`)
    .toSorted()
    .join()
}
