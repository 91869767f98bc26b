import { type DocumentNode, Kind, type OperationDefinitionNode, OperationTypeNode, parse } from 'graphql'
import { blankDropped, type Drops } from './blank.ts'
import { isDefer } from './defer.ts'
import type { Endpoint, RootSelection } from './root-selections.ts'

/** A mixed operation in parts. `parts` and `keys` (response keys) have the order of the document. A query has at most one part for each side. */
export type Split = {
  readonly operation: OperationTypeNode
  readonly parts: readonly SplitPart[]
  readonly keys: readonly string[]
}
export type SplitPart = {
  readonly side: 'local' | Endpoint
  readonly source: string
  /** Of our own part; null for the platform's. */
  readonly document: DocumentNode | null
  readonly variables: ReadonlySet<string>
  readonly keys: readonly string[]
}

/** Each part has a text of the operation's length, in which the others are blanks. */
export const maxCopiedChars = 5_000_000

/**
 * Null if a split would change the answer (root fragments that mix sides, one response key in two parts, subscriptions), or if a long operation
 * changes sides very often.
 */
export function splitOperation(
  operation: OperationDefinitionNode,
  { source, document, selections }: { source: string; document: DocumentNode; selections: readonly RootSelection[] },
): Split | null {
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) return null
  const groups = operation.operation === OperationTypeNode.QUERY ? groupBySide(selections) : groupInOrder(selections)
  if (!groups || operation.directives?.length || source.length * groups.length > maxCopiedChars) return null
  const groupOfKey = new Map<string, Group>()
  for (const group of groups) {
    for (const { key } of group.selections.flatMap((member) => member.fields)) {
      if ((groupOfKey.get(key) ?? group) !== group) return null
      groupOfKey.set(key, group)
    }
  }
  const parts = groups.map(({ side, selections: members }): SplitPart => {
    const others = new Set<unknown>(operation.selectionSet.selections)
    for (const { node } of members) others.delete(node)
    const drops: Drops = (node) => others.has(node) || (side !== 'local' && node.kind === Kind.DIRECTIVE && isDefer(node))
    const { source: text, variables } = blankDropped(source, { operation, document, drops })
    const keys = [...new Set(members.flatMap((member) => member.fields.map((field) => field.key)))]
    return { side, source: text, variables, keys, document: side === 'local' ? parse(text) : null }
  })
  return { operation: operation.operation, parts, keys: keysInOrder(selections) }
}

type Group = { readonly side: SplitPart['side']; readonly selections: RootSelection[] }

function groupBySide(selections: readonly RootSelection[]): readonly Group[] | null {
  const groups = new Map<SplitPart['side'], Group>()
  for (const selection of selections) {
    const side = sideOfSelection(selection)
    if (side === null) return null
    const group = groups.get(side) ?? { side, selections: [] }
    group.selections.push(selection)
    groups.set(side, group)
  }
  return [...groups.values()]
}

/** Mutations run one after the other: neighbours of one side form a part. */
function groupInOrder(selections: readonly RootSelection[]): readonly Group[] | null {
  const groups: Group[] = []
  for (const selection of selections) {
    const side = sideOfSelection(selection)
    if (side === null) return null
    const last = groups.at(-1)
    if (last?.side === side) last.selections.push(selection)
    else groups.push({ side, selections: [selection] })
  }
  return groups
}

/** Null if it mixes sides. Our side answers a lone `__typename`. */
function sideOfSelection({ fields }: RootSelection): SplitPart['side'] | null {
  const sides = new Set(fields.flatMap(({ side }) => (side === 'local' || side === 'records' || side === 'metadata' ? [side] : [])))
  const [side = 'local'] = sides
  return sides.size > 1 ? null : side
}

function keysInOrder(selections: readonly RootSelection[]): readonly string[] {
  return [...new Set(selections.flatMap((selection) => selection.fields.map((field) => field.key)))]
}
