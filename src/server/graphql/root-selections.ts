import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql'

/** The two GraphQL endpoints of the platform: the workspace's records, and everything else (users, roles, data model, files). */
export type Endpoint = 'records' | 'metadata'

/** The side that a root field belongs to. `meta` is `__typename`, which all sides have. */
export type Side = 'local' | Endpoint | 'introspection' | 'meta'

/** The root fields of one kind of operation that are ours, and those of the platform's metadata endpoint. The records endpoint has all others. */
export type FieldOwners = { readonly own: ReadonlySet<string>; readonly metadata: ReadonlySet<string> }

/** One selection at the root of an operation, with the fields that it expands to. */
export type RootSelection = {
  readonly node: SelectionNode
  readonly fields: readonly RootField[]
}
export type RootField = {
  readonly node: FieldNode
  readonly key: string
  readonly side: Side
}

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** The fragments of a document by their names. */
export function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  return fragments
}

/** The root selections of an operation in their order, with root fragments expanded. */
export function rootSelections(
  operation: OperationDefinitionNode,
  { fragments, owners }: { fragments: Fragments; owners: FieldOwners },
): readonly RootSelection[] {
  return operation.selectionSet.selections.map((node) => {
    const fields: RootField[] = []
    collect(node, { fragments, owners, fields, seen: new Set() })
    return { node, fields }
  })
}

type Collecting = {
  readonly fragments: Fragments
  readonly owners: FieldOwners
  readonly fields: RootField[]
  readonly seen: Set<string>
}

function collect(selection: SelectionNode, into: Collecting): void {
  if (selection.kind === Kind.FIELD) {
    const { name, alias } = selection
    into.fields.push({ node: selection, key: (alias ?? name).value, side: sideOf(name.value, into.owners) })
  } else if (selection.kind === Kind.INLINE_FRAGMENT) {
    for (const inner of selection.selectionSet.selections) collect(inner, into)
  } else if (!into.seen.has(selection.name.value)) {
    into.seen.add(selection.name.value)
    for (const inner of into.fragments.get(selection.name.value)?.selectionSet.selections ?? []) collect(inner, into)
  }
}

function sideOf(name: string, { own, metadata }: FieldOwners): Side {
  if (own.has(name)) return 'local'
  if (name === '__typename') return 'meta'
  if (name === '__schema' || name === '__type') return 'introspection'
  return metadata.has(name) ? 'metadata' : 'records'
}

/** Whether a field with one of these names is selected anywhere below, fragments included. */
export function selectsBelow(field: FieldNode, names: ReadonlySet<string>, fragments: Fragments): boolean {
  if (names.size === 0) return false
  const seen = new Set<string>()
  const looks = (selection: SelectionNode): boolean => {
    if (selection.kind === Kind.FIELD) return names.has(selection.name.value) || (selection.selectionSet?.selections.some(looks) ?? false)
    if (selection.kind === Kind.INLINE_FRAGMENT) return selection.selectionSet.selections.some(looks)
    if (seen.has(selection.name.value)) return false
    seen.add(selection.name.value)
    return fragments.get(selection.name.value)?.selectionSet.selections.some(looks) ?? false
  }
  return field.selectionSet?.selections.some(looks) ?? false
}
