import { type FieldNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, type SelectionNode } from 'graphql'

/** The side that a root field belongs to. `meta` is `__typename`, which both sides have. */
export type Side = 'local' | 'platform' | 'introspection' | 'meta'

/** One selection at the root of an operation, with the fields that it expands to. */
export type RootSelection = {
  readonly node: SelectionNode
  readonly fields: readonly RootField[]
}
export type RootField = { readonly node: FieldNode; readonly key: string; readonly side: Side }

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** The root selections of an operation in their order, with root fragments expanded. */
export function rootSelections(
  operation: OperationDefinitionNode,
  { fragments, own }: { fragments: Fragments; own: ReadonlySet<string> },
): readonly RootSelection[] {
  return operation.selectionSet.selections.map((node) => {
    const fields: RootField[] = []
    collect(node, { fragments, own, fields, seen: new Set() })
    return { node, fields }
  })
}

type Collecting = {
  readonly fragments: Fragments
  readonly own: ReadonlySet<string>
  readonly fields: RootField[]
  readonly seen: Set<string>
}

function collect(selection: SelectionNode, into: Collecting): void {
  if (selection.kind === Kind.FIELD) {
    into.fields.push({ node: selection, key: (selection.alias ?? selection.name).value, side: sideOf(selection.name.value, into.own) })
  } else if (selection.kind === Kind.INLINE_FRAGMENT) {
    for (const inner of selection.selectionSet.selections) collect(inner, into)
  } else if (!into.seen.has(selection.name.value)) {
    into.seen.add(selection.name.value)
    for (const inner of into.fragments.get(selection.name.value)?.selectionSet.selections ?? []) collect(inner, into)
  }
}

function sideOf(name: string, own: ReadonlySet<string>): Side {
  if (own.has(name)) return 'local'
  if (name === '__typename') return 'meta'
  return name === '__schema' || name === '__type' ? 'introspection' : 'platform'
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
