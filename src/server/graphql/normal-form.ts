import {
  type DirectiveNode,
  type DocumentNode,
  type FloatValueNode,
  type IntValueNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  valueFromASTUntyped,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
} from 'graphql'
import { invalidInput } from '../../kernel/errors.ts'
import { blankDropped } from './blank.ts'
import type { Envelope } from './envelope.ts'

type Variables = Envelope['variables']
type Executed = Pick<Envelope, 'query' | 'variables'>

/** An operation whose form depends on its variables, or that has others beside it. */
export type Written = {
  readonly source: string
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly changesText: boolean
}

/** Null if the operation is executed as it was written, whatever its variables are. */
export function writtenOf(source: string, document: DocumentNode, operation: OperationDefinitionNode): Written | null {
  const hasDefaults = operation.variableDefinitions?.some(({ defaultValue }) => defaultValue !== undefined) ?? false
  const changesText = hasOthers(document, operation) || source.includes('skip') || source.includes('include')
  return hasDefaults || changesText ? { source, document, operation, changesText } : null
}

/**
 * An operation as it is executed with these variables: alone in its text, with the fragments that it uses; the defaults of variables filled
 * in; `@skip` and `@include` decided at every depth; without the variables that nothing uses then. What is left has its place in the client's
 * text, because the `locations` of errors name it. Throws INVALID_INPUT if a condition is a variable without a value.
 */
export function normalForm(written: Written, given: Variables): Executed {
  const variables = withDefaults(written.operation.variableDefinitions ?? [], given)
  return written.changesText ? decided(written, variables) : { query: written.source, variables }
}

/** Whether the document has further operations. */
export function hasOthers({ definitions }: DocumentNode, operation: OperationDefinitionNode): boolean {
  return definitions.some((one) => one !== operation && one.kind === Kind.OPERATION_DEFINITION)
}

function withDefaults(definitions: readonly VariableDefinitionNode[], given: Variables): Variables {
  const missing = definitions.flatMap(({ variable: { name }, defaultValue }) =>
    defaultValue && !Object.hasOwn(given ?? {}, name.value) && isExact(defaultValue)
      ? [[name.value, valueFromASTUntyped(defaultValue)] as const]
      : [],
  )
  return missing.length === 0 ? given : { ...given, ...Object.fromEntries(missing) }
}

/** Whether JSON has the value as it is. Who executes the operation reads a longer number, perhaps an ID, from the text. */
function isExact(value: ValueNode): boolean {
  let exact = true
  const read = ({ kind, value: text }: IntValueNode | FloatValueNode): void => {
    exact &&= Math.abs(Number(text)) <= (kind === Kind.INT ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE)
  }
  visit(value, { IntValue: read, FloatValue: read })
  return exact
}

function decided({ source, document, operation }: Written, variables: Variables): Executed {
  const isSkipped = ({ directives = [] }: SelectionNode): boolean =>
    directives.some((directive) => needs(directive) !== null && valueOf(directive, variables) === !(needs(directive) ?? false))
  const drops = (node: SelectionNode | DirectiveNode): boolean =>
    node.kind === Kind.DIRECTIVE ? needs(node) !== null && valueOf(node, variables) !== null : isSkipped(node)
  const { source: query, variables: used } = blankDropped(source, { operation, document, drops })
  return { query, variables: variables && Object.fromEntries(Object.entries(variables).filter(([name]) => used.has(name))) }
}

/** The value of its condition with which the selection is part of the answer; null for other directives. */
function needs({ name }: DirectiveNode): boolean | null {
  return name.value === 'include' ? true : name.value === 'skip' ? false : null
}

/** The value of its condition; null for one that is invalid, which the executor reports. */
function valueOf({ arguments: given = [] }: DirectiveNode, variables: Variables): boolean | null {
  const [condition, ...others] = given
  if (condition?.name.value !== 'if' || others.length > 0) return null
  const value: unknown = valueFromASTUntyped(condition.value, variables)
  if (typeof value === 'boolean') return value
  if (condition.value.kind === Kind.VARIABLE) throw invalidInput(condition.value.name.value, 'must be true or false')
  return null
}
