import { buildOperationNodeForField } from '@graphql-tools/utils'
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type NameNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type VariableDefinitionNode,
  type VariableNode,
} from 'graphql'

import type { Condition } from './bound-argument.ts'
import { selectedOf } from './page.ts'

/** What to derive a document from. */
export type DocumentPlan = {
  readonly kind: 'query' | 'mutation'
  readonly rootField: string
  readonly operationName: string
  /** The arguments of the root field that become variables of the same name. */
  readonly argumentNames: readonly string[]
  /** Fields of the answer that are selected only if a Boolean variable is true. */
  readonly conditions: ReadonlyMap<string, Condition>
}

export type DerivedDocument = {
  readonly document: DocumentNode
  /** The operation's one root field, as selected. */
  readonly selection: FieldNode
}

/** The document of an operation that selects its root field with every field of the answer. The root field must exist. */
export function deriveDocument(plan: DocumentPlan, schema: GraphQLSchema): DerivedDocument {
  const kind = operationTypes[plan.kind]
  const field = schema.getRootType(kind)?.getFields()[plan.rootField]
  const selectedFields = field && selectedOf(field.type)
  const { selectionSet, variableDefinitions = [] } = buildOperationNodeForField({
    schema,
    kind,
    ...(selectedFields && { selectedFields }),
    field: plan.rootField,
    argNames: [...plan.argumentNames],
  })
  const [root] = selectionSet.selections
  if (root?.kind !== Kind.FIELD) throw new TypeError(`No selection could be derived for ${plan.rootField}`)
  const selection = withIncludes(root, plan.conditions)
  const definition: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: kind,
    name: name(plan.operationName),
    variableDefinitions: [...variableDefinitions, ...[...plan.conditions.values()].map(booleanVariable)],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [selection] },
  }
  return { document: { kind: Kind.DOCUMENT, definitions: [definition] }, selection }
}

const operationTypes = { query: OperationTypeNode.QUERY, mutation: OperationTypeNode.MUTATION }

function withIncludes(root: FieldNode, conditions: ReadonlyMap<string, Condition>): FieldNode {
  if (!root.selectionSet) return root
  const selections = root.selectionSet.selections.map((selection): SelectionNode => {
    const condition = selection.kind === Kind.FIELD ? conditions.get(selection.name.value)?.variable : undefined
    return condition === undefined ? selection : { ...selection, directives: [includeIf(condition)] }
  })
  return { ...root, selectionSet: { ...root.selectionSet, selections } }
}

function includeIf(condition: string): DirectiveNode {
  return {
    kind: Kind.DIRECTIVE,
    name: name('include'),
    arguments: [{ kind: Kind.ARGUMENT, name: name('if'), value: variable(condition) }],
  }
}

/** `$name: Boolean! = false`, or `true`. */
function booleanVariable({ variable: condition, isDefault }: Condition): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: variable(condition),
    type: { kind: Kind.NON_NULL_TYPE, type: { kind: Kind.NAMED_TYPE, name: name('Boolean') } },
    defaultValue: { kind: Kind.BOOLEAN, value: isDefault },
  }
}

function variable(value: string): VariableNode {
  return { kind: Kind.VARIABLE, name: name(value) }
}

function name(value: string): NameNode {
  return { kind: Kind.NAME, value }
}
