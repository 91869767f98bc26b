import { getNamedType, type GraphQLNamedType, type GraphQLSchema, isObjectType, isRequiredArgument, isUnionType } from 'graphql'
import { isLink } from '../../src/server/graphql/stitching/record-links.ts'

/** A selection of all links below a type of ours, with the ids of the records; null if there are none. `combined`: the schema with the links. */
export function linkSelection(combined: GraphQLSchema, type: GraphQLNamedType, path: readonly string[] = []): string | null {
  if (isUnionType(type)) {
    const parts = type.getTypes().flatMap((one) => {
      const inner = linkSelection(combined, one, path)
      return inner === null ? [] : [`... on ${one.name} ${inner}`]
    })
    return parts.length === 0 ? null : `{ ${parts.join(' ')} }`
  }
  const found = combined.getType(type.name)
  if (!isObjectType(found) || path.includes(type.name)) return null
  const fields = Object.values(found.getFields()).flatMap(({ name, type: given, args }) => {
    if (isLink(type.name, name)) return [`${name} { id }`]
    if (args.some(isRequiredArgument)) return []
    const inner = linkSelection(combined, getNamedType(given), [...path, type.name])
    return inner === null ? [] : [`${name} ${inner}`]
  })
  return fields.length === 0 ? null : `{ ${fields.join(' ')} }`
}

/** How many records a selection of links has brought, by the name of the link. */
export function countLinks(value: unknown, counts: Map<string, number> = new Map()): ReadonlyMap<string, number> {
  if (Array.isArray(value)) for (const item of value) countLinks(item, counts)
  else if (typeof value === 'object' && value !== null) {
    Object.entries(value).forEach(([name, inner]: [string, unknown]) => {
      const isRecord = typeof inner === 'object' && inner !== null && Object.keys(inner).join() === 'id'
      if (isRecord) counts.set(name, (counts.get(name) ?? 0) + 1)
      else countLinks(inner, counts)
    })
  }
  return counts
}
