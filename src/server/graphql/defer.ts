import { type ASTVisitor, type DirectiveNode, type DocumentNode, GraphQLError, Kind, type ValidationContext, visit } from 'graphql'

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
