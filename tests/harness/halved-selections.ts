import {
  getNamedType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from 'graphql'

/**
 * Two selections on a type: each has the `id` of every object and one half of the other fields. An object without an id, which a client
 * reads as a whole, is selected as a whole.
 */
export function halvedSelections(type: GraphQLNamedType): readonly [string, string] {
  return [selectionOn(type, { half: 0, path: [] }), selectionOn(type, { half: 1, path: [] })]
}

type Selecting = { readonly half: number; readonly path: readonly string[] }

function selectionOn(type: GraphQLNamedType, { half, path }: Selecting): string {
  if (isUnionType(type)) {
    const fragments = type.getTypes().map((one) => `... on ${one.name} ${selectionOn(one, { half, path })}`)
    return `{ ${fragments.join(' ')} }`
  }
  if (!isObjectType(type) || path.includes(type.name)) return ''
  return `{ ${fieldsOf(type, { half, path: [...path, type.name] }).join(' ')} }`
}

function fieldsOf(type: GraphQLObjectType, { half, path }: Selecting): readonly string[] {
  const fields = Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument))
  const isWhole = !('id' in type.getFields())
  return fields.flatMap(({ name, type: given }, index) => {
    const inner = getNamedType(given)
    if (isLeafType(inner)) return isWhole || name === 'id' || index % 2 === half ? [name] : []
    const selection = selectionOn(inner, { half, path })
    return selection === '' ? [] : [`${name} ${selection}`]
  })
}
