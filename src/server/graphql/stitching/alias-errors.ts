import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  OverlappingFieldsCanBeMergedRule,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { isRecord } from '../envelope.ts'
import { validationBounds } from '../variable-faults.ts'

/**
 * An error for each alias with the name of another field that a field of ours, or a link, needs in the same place: stitching asks for that
 * beside the client's fields, and would take the one for the other. The document is valid.
 */
export function aliasErrors(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const types = new TypeInfo(schema)
  const asked = visit(
    document,
    visitWithTypeInfo(types, {
      SelectionSet(set) {
        const { name = '' } = types.getParentType() ?? {}
        // Each once, because validation compares all pairs of a name.
        const needed = new Set(set.selections.flatMap((one) => (one.kind === Kind.FIELD ? neededBy(schema, name, one) : [])))
        return needed.size === 0 ? undefined : { ...set, selections: [...set.selections, ...needed] }
      },
    }),
  )
  return validate(schema, asked, [OverlappingFieldsCanBeMergedRule], validationBounds).map(({ nodes = [] }) => {
    const aliased = nodes.find((node): node is FieldNode => node.kind === Kind.FIELD && node.alias !== undefined && node.loc !== undefined)
    const written = aliased ? `${aliased.alias?.value ?? ''}: ${aliased.name.value}` : 'the document'
    const message = `The alias in \`${written}\` is the name of a field that another field beside it needs: choose another alias`
    return new GraphQLError(message, aliased && { nodes: aliased })
  })
}

/** What stitching asks for beside a field. `stitchSchemas` keeps it as `StitchingInfo.fieldNodesByField`. */
function neededBy(schema: GraphQLSchema, typeName: string, { name }: FieldNode): readonly FieldNode[] {
  const info = schema.extensions['stitchingInfo']
  const byType = isRecord(info) ? info['fieldNodesByField'] : null
  const byField = isRecord(byType) ? byType[typeName] : null
  const nodes = isRecord(byField) ? byField[name.value] : null
  return Array.isArray(nodes) ? nodes.filter(isField) : []
}

function isField(node: unknown): node is FieldNode {
  return isRecord(node) && node['kind'] === Kind.FIELD
}
