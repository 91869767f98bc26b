import {
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  Kind,
  type Location,
  type OperationDefinitionNode,
  type SelectionNode,
  TokenKind,
  type VariableDefinitionNode,
  visit,
} from 'graphql'

/** Whether a node is left out, with all that is in it. */
export type Drops = (node: SelectionNode | DirectiveNode) => boolean
type Kept = { readonly operation: OperationDefinitionNode; readonly document: DocumentNode; readonly drops: Drops }
export type Blanked = { readonly source: string; readonly variables: ReadonlySet<string> }
type Edit = Pick<Location, 'start' | 'end'> & { readonly text?: string }

/**
 * The text of one operation without some of it, which becomes blanks, so that lines and columns, and with them the `locations` of errors,
 * stay those of the client's text. Other operations, and what is not used then of fragments and variables, become blanks too, because validation
 * refuses them. `variables` are those that are still used.
 */
export function blankDropped(source: string, { operation, document, drops }: Kept): Blanked {
  const edits: Edit[] = []
  const uses = usesOf(operation, { document, drops, edits })
  for (const definition of document.definitions) {
    if (definition === operation) continue
    if (definition.kind === Kind.FRAGMENT_DEFINITION && uses.fragments.has(definition.name.value)) continue
    pushLocation(edits, definition)
  }
  const variables = operation.variableDefinitions ?? []
  const unused = variables.filter((variable) => !uses.variables.has(variable.variable.name.value))
  if (unused.length > 0 && unused.length === variables.length) edits.push(parenthesesOf(unused))
  else for (const variable of unused) pushLocation(edits, variable)
  return { source: editRanges(source, edits), variables: uses.variables }
}

function usesOf(
  { selectionSet, directives = [] }: OperationDefinitionNode,
  { document, drops, edits }: Pick<Kept, 'document' | 'drops'> & { readonly edits: Edit[] },
): { fragments: ReadonlySet<string>; variables: ReadonlySet<string> } {
  const fragments = new Set<string>()
  const variables = new Set<string>()
  const leave = (node: SelectionNode | DirectiveNode): false | undefined => {
    if (!drops(node)) return undefined
    pushLocation(edits, node)
    // What it uses is not used then.
    return false
  }
  const collect = (node: ASTNode): void => {
    visit(node, {
      SelectionSet: ({ selections, loc }) => {
        if (!loc || !selections.every(drops)) return undefined
        edits.push({ start: loc.start + 1, end: loc.end - 1, text: nothing })
        return false
      },
      Field: leave,
      InlineFragment: leave,
      Directive: leave,
      FragmentSpread: (spread) => {
        const left = leave(spread)
        const { value } = spread.name
        if (left === false || fragments.has(value)) return left
        fragments.add(value)
        for (const definition of document.definitions) {
          if (definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === value) collect(definition)
        }
        return undefined
      },
      Variable: (variable) => void variables.add(variable.name.value),
    })
  }
  for (const node of [selectionSet, ...directives]) collect(node)
  return { fragments, variables }
}

/** What a selection set has if all of it is left out: it may not be empty. */
const nothing = '__typename@skip(if:true)'

function pushLocation(edits: Edit[], { loc }: ASTNode): void {
  if (loc) edits.push(loc)
}

/** The ranges, which do not overlap, become blanks. Line breaks stay, so that line numbers stay. */
function editRanges(source: string, ranges: readonly Edit[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end, text = '' } of ranges.toSorted((a, b) => a.start - b.start)) {
    const blanks = source.slice(start, end).replaceAll(/[^\r\n]+/g, (line) => ' '.repeat(line.length))
    pieces.push(source.slice(at, start), text, blanks.startsWith(' '.repeat(text.length)) ? blanks.slice(text.length) : blanks)
    at = end
  }
  return pieces.join('') + source.slice(at)
}

/** `query Name()` is a syntax error: without variables the parentheses become blanks too. */
function parenthesesOf(variables: readonly VariableDefinitionNode[]): Edit {
  let open = variables[0]?.loc?.startToken
  let close = variables.at(-1)?.loc?.endToken
  while (open && open.kind !== TokenKind.PAREN_L) open = open.prev ?? undefined
  while (close && close.kind !== TokenKind.PAREN_R) close = close.next ?? undefined
  return { start: open?.start ?? 0, end: close?.end ?? 0 }
}
