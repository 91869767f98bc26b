import {
  type ASTNode,
  type ASTVisitor,
  type DirectiveNode,
  type DocumentNode,
  getNullableType,
  GraphQLError,
  type GraphQLSchema,
  isListType,
  Kind,
  TypeInfo,
  type ValidationContext,
  visit,
  visitWithTypeInfo,
} from 'graphql'

const name = 'defer'

export function isDefer(directive: DirectiveNode): boolean {
  return directive.name.value === name
}

/** False for most documents, which is found without a walk. */
export function hasDefer(source: string, document: DocumentNode): boolean {
  return source.includes(name) && withoutDefer(document) !== document
}

/** The document in which every fragment comes with the rest of the answer; the same object if nothing is deferred. */
export function withoutDefer(document: DocumentNode): DocumentNode {
  return visit(document, { Directive: (directive) => (isDefer(directive) ? null : undefined) })
}

/**
 * The document in which nothing inside a list is deferred: each item would be a part, and for each part the executor looks at all that are still
 * to come. A fragment that is spread in a list defers nothing anywhere.
 */
export function withoutDeferInLists(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const inLists = new Set<string>()
  const dropped = new Set<DirectiveNode>()
  const walk = (node: ASTNode, outerLists: number): void => {
    const types = new TypeInfo(schema)
    let lists = outerLists
    const step = (by: number): undefined => void (isListType(getNullableType(types.getType())) && (lists += by))
    visit(
      node,
      visitWithTypeInfo(types, {
        Field: { enter: () => step(1), leave: () => step(-1) },
        Directive: (directive) => void (lists > 0 && isDefer(directive) && dropped.add(directive)),
        FragmentSpread: ({ name: spread }) => void (lists > 0 && inLists.add(spread.value)),
      }),
    )
  }
  for (const definition of document.definitions) walk(definition, 0)
  // Grows while it is read: fragments of fragments.
  for (const fragment of inLists) {
    for (const node of document.definitions) if (node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === fragment) walk(node, 1)
  }
  return visit(document, { Directive: (directive) => (dropped.has(directive) ? null : undefined) })
}

/** The draft's rules for `@defer`: labels are fixed texts and unique, and a mutation's root fields are not deferred. */
export function deferRule(context: ValidationContext): ASTVisitor {
  const labels = new Set<string>()
  const report = (message: string, nodes: DirectiveNode): void => context.reportError(new GraphQLError(message, { nodes }))
  return {
    Directive(node) {
      if (!isDefer(node)) return
      const label = node.arguments?.find((argument) => argument.name.value === 'label')?.value
      if (label?.kind === Kind.VARIABLE) report('The label of @defer must be a fixed text', node)
      if (label?.kind === Kind.STRING) {
        if (labels.has(label.value)) report('Each label of @defer may be used only once in a document', node)
        labels.add(label.value)
      }
      const parent = context.getParentType()
      if (parent && parent === context.getSchema().getMutationType()) report('@defer is not allowed on the root of a mutation', node)
    },
  }
}
