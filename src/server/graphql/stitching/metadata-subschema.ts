import type { Transform } from '@graphql-tools/delegate'
import { RenameRootFields, RenameTypes } from '@graphql-tools/wrap'
import { type GraphQLSchema, isIntrospectionType, isScalarType, isSpecifiedScalarType, OperationTypeNode } from 'graphql'
import { metadataPrefix, prefixedFieldName } from '../prefixed-names.ts'

type Others = { readonly records: GraphQLSchema; readonly ours: GraphQLSchema }

/**
 * Prefixes the names of the metadata endpoint that others have in the combined schema: types that the records or we have, and root fields that
 * the records have. A scalar that the records have too is shared.
 */
export function metadataTransforms(metadata: GraphQLSchema, others: Others): Transform[] {
  const types = typeNames(metadata, others)
  return [
    new RenameTypes((name) => types.get(name) ?? name),
    new RenameRootFields((operation, name) => (isRootFieldOf(others.records, operation, name) ? prefixedFieldName(name) : name)),
  ]
}

/** New names by the endpoint's own. */
function typeNames(metadata: GraphQLSchema, { records, ours }: Others): ReadonlyMap<string, string> {
  const kinds = [OperationTypeNode.QUERY, OperationTypeNode.MUTATION, OperationTypeNode.SUBSCRIPTION]
  const roots = new Set(kinds.map((operation) => metadata.getRootType(operation)?.name))
  const isTaken = (name: string): boolean => [metadata, records, ours].some((schema) => schema.getType(name) !== undefined)
  const free = (name: string): string => (isTaken(name) ? free(`${metadataPrefix}${name}`) : name)
  const colliding = Object.values(metadata.getTypeMap()).filter((type) => {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type) || roots.has(type.name)) return false
    const ofRecords = records.getType(type.name)
    if (ofRecords) return !(isScalarType(type) && isScalarType(ofRecords))
    return ours.getType(type.name) !== undefined
  })
  return new Map(colliding.map(({ name }) => [name, free(`${metadataPrefix}${name}`)]))
}

function isRootFieldOf(schema: GraphQLSchema, operation: 'Query' | 'Mutation' | 'Subscription', name: string): boolean {
  const types = { Query: schema.getQueryType(), Mutation: schema.getMutationType(), Subscription: schema.getSubscriptionType() }
  return name in (types[operation]?.getFields() ?? {})
}
