import { type FieldDefinitionNode, Kind, parse } from 'graphql'

/** The names of the root fields that this service adds, from its contract: they are reserved. */
export function ownRootFields(contract: string): readonly string[] {
  return parse(contract, { noLocation: true }).definitions.flatMap((definition) => {
    const isType = definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION
    if (!isType || !['Query', 'Mutation', 'Subscription'].includes(definition.name.value)) return []
    return (definition.fields ?? []).map((field: FieldDefinitionNode) => field.name.value)
  })
}
