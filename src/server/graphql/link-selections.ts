import {
  type FieldNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { type Fragments, selectsBelow } from './root-selections.ts'
import { isLink, linkNames } from './stitching/record-links.ts'

/** Where a selection is looked for: our schema, and the fragments of the document. */
type Around = { readonly schema: GraphQLSchema; readonly fragments: Fragments; readonly seen: Set<string> }
type RootField = { readonly field: FieldNode; readonly operation: OperationTypeNode; readonly fragments: Fragments }

/**
 * Whether a root field of ours selects a link to a record of the platform. Then it needs the stitched schema. Most operations have no field of a
 * link's name, which is found without our schema.
 */
export function selectsLink(schema: GraphQLSchema | null, { field, operation, fragments }: RootField): boolean {
  if (!schema || !selectsBelow(field, linkNames, fragments)) return false
  const type = getNamedType(schema.getRootType(operation)?.getFields()[field.name.value]?.type)
  return hasLink(field.selectionSet, type, { schema, fragments, seen: new Set() })
}

function hasLink(set: SelectionSetNode | undefined, type: GraphQLNamedType | undefined, around: Around): boolean {
  return set?.selections.some((selection) => isLinkOrHasOne(selection, type, around)) ?? false
}

function isLinkOrHasOne(selection: SelectionNode, type: GraphQLNamedType | undefined, around: Around): boolean {
  const { schema, fragments, seen } = around
  if (selection.kind === Kind.FIELD) {
    if (!isObjectType(type)) return false
    const { value } = selection.name
    return isLink(type.name, value) || hasLink(selection.selectionSet, getNamedType(type.getFields()[value]?.type), around)
  }
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    const { typeCondition } = selection
    return hasLink(selection.selectionSet, typeCondition ? schema.getType(typeCondition.name.value) : type, around)
  }
  const fragment = fragments.get(selection.name.value)
  if (!fragment || seen.has(selection.name.value)) return false
  seen.add(selection.name.value)
  return hasLink(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value), around)
}
