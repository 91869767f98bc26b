import {
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  Kind,
  type Location,
  type OperationDefinitionNode,
  type SelectionNode,
  TokenKind,
  visit,
} from 'graphql'
import { isDefer } from './defer.ts'

type Kept = {
  readonly operation: OperationDefinitionNode
  readonly document: DocumentNode
  readonly keep: ReadonlySet<SelectionNode>
  readonly dropsDefer: boolean
}
export type Blanked = { readonly source: string; readonly variables: ReadonlySet<string> }

/**
 * The text of one side of an operation. The other side becomes blanks, so that lines and columns, and with them the `locations` of errors,
 * stay those of the client's text. Unused fragments, variables and other operations become blanks too, because validation refuses them.
 * `dropsDefer`: so does `@defer`.
 */
export function blankOthers(source: string, { operation, document, keep, dropsDefer }: Kept): Blanked {
  const selections = operation.selectionSet.selections.filter((selection) => keep.has(selection))
  const blanks: Location[] = []
  const uses = usesOf([...selections, ...(operation.directives ?? [])], document, (directive) => {
    if (!dropsDefer || !isDefer(directive)) return undefined
    pushLocation(blanks, directive)
    // Its variables are not used then.
    return false
  })
  for (const definition of document.definitions) {
    if (definition === operation) continue
    if (definition.kind === Kind.FRAGMENT_DEFINITION && uses.fragments.has(definition.name.value)) continue
    pushLocation(blanks, definition)
  }
  for (const selection of operation.selectionSet.selections) if (!keep.has(selection)) pushLocation(blanks, selection)
  const variables = operation.variableDefinitions ?? []
  for (const variable of variables) if (!uses.variables.has(variable.variable.name.value)) pushLocation(blanks, variable)
  let text = blankRanges(source, blanks)
  if (variables.length > 0 && !variables.some((variable) => uses.variables.has(variable.variable.name.value))) {
    text = blankParentheses(text, operation)
  }
  return { source: text, variables: uses.variables }
}

function usesOf(
  nodes: readonly ASTNode[],
  document: DocumentNode,
  onDirective: (directive: DirectiveNode) => false | undefined,
): { fragments: ReadonlySet<string>; variables: ReadonlySet<string> } {
  const fragments = new Set<string>()
  const variables = new Set<string>()
  const collect = (node: ASTNode): void => {
    visit(node, {
      Directive: onDirective,
      Variable: (variable) => void variables.add(variable.name.value),
      FragmentSpread: ({ name }) => {
        if (fragments.has(name.value)) return
        fragments.add(name.value)
        for (const definition of document.definitions) {
          if (definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name.value) collect(definition)
        }
      },
    })
  }
  for (const node of nodes) collect(node)
  return { fragments, variables }
}

function pushLocation(blanks: Location[], node: ASTNode): void {
  if (node.loc) blanks.push(node.loc)
}

/** Line breaks stay, so that line numbers stay. The ranges do not overlap. */
function blankRanges(text: string, ranges: readonly Pick<Location, 'start' | 'end'>[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    pieces.push(
      text.slice(at, start),
      text.slice(start, end).replaceAll(/[^\r\n]+/g, (line) => ' '.repeat(line.length)),
    )
    at = end
  }
  return pieces.join('') + text.slice(at)
}

/** `query Name()` is a syntax error: without variables the parentheses become blanks too. */
function blankParentheses(text: string, operation: OperationDefinitionNode): string {
  let open = operation.variableDefinitions?.[0]?.loc?.startToken
  let close = operation.variableDefinitions?.at(-1)?.loc?.endToken
  while (open && open.kind !== TokenKind.PAREN_L) open = open.prev ?? undefined
  while (close && close.kind !== TokenKind.PAREN_R) close = close.next ?? undefined
  return open && close ? blankRanges(text, [{ start: open.start, end: close.end }]) : text
}
