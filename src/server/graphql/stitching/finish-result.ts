import { createGraphQLError } from '@graphql-tools/utils'
import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type FormattedExecutionResult,
  getLocation,
  type GraphQLError,
  type GraphQLFormattedError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { AppError } from '../../../kernel/errors.ts'
import { formattedError } from '../errors.ts'
import { withCode } from '../platform-errors.ts'
import { wholeErrorMark } from './platform-executor.ts'

type Executed = { readonly document: DocumentNode; readonly operation: OperationDefinitionNode; readonly requestId: string }

/**
 * The result as the client gets it. The errors of a whole request are shown once and without a path. Other errors get the locations of the
 * client's own text, which stitching loses.
 */
export function finishResult(
  result: ExecutionResult,
  executed: Executed,
  wholeErrors: ReadonlyMap<string, readonly GraphQLError[]>,
): FormattedExecutionResult {
  if (!result.errors) return { ...(result.data !== undefined && { data: result.data }) }
  const shown = new Set<string>()
  const errors: GraphQLFormattedError[] = []
  for (const error of result.errors) {
    const mark = error.extensions[wholeErrorMark]
    if (typeof mark !== 'string') {
      const formatted = located(error, executed)
      // Of an argument: the executor of the stitched schema found it.
      const isInput = error.nodes?.some(({ kind }) => kind !== Kind.FIELD) ?? false
      errors.push(
        isInput
          ? { ...formatted, ...formattedError(new AppError('INVALID_INPUT', { detail: error.message }), executed.requestId) }
          : formatted,
      )
    } else if (!shown.has(mark)) {
      shown.add(mark)
      // Below the root it is a link to records that were asked for in a request of their own: the first of its places is shown.
      const path = (error.path?.length ?? 0) > 1 ? error.path : undefined
      for (const whole of wholeErrors.get(mark) ?? []) {
        const { message, extensions } = whole
        errors.push(path ? located(createGraphQLError(message, { extensions, path }), executed) : whole.toJSON())
      }
    }
  }
  return {
    errors: errors.map((error) => withCode(withRequestId(error, executed.requestId), executed.requestId, 'PROVIDER_REFUSED')),
    ...(result.data !== undefined && { data: result.data }),
  }
}

function located(error: GraphQLError, { document, operation }: Executed): GraphQLFormattedError {
  const formatted = error.toJSON()
  if (formatted.locations || !error.path) return formatted
  const nodes = fieldsAt(error.path, { document, operation })
  const locations = nodes.flatMap(({ loc }) => (loc ? [getLocation(loc.source, loc.start)] : []))
  return locations.length === 0 ? formatted : { ...formatted, locations: locations.map(({ line, column }) => ({ line, column })) }
}

/** Adds the request's id to our own errors. Errors of the platform stay as they are. */
function withRequestId(error: GraphQLFormattedError, requestId: string): GraphQLFormattedError {
  const { extensions } = error
  return extensions && 'reason' in extensions && !('requestId' in extensions)
    ? { ...error, extensions: { ...extensions, requestId } }
    : error
}

/** The fields of the document at the end of a path. */
function fieldsAt(
  path: readonly (string | number)[],
  { document, operation }: { document: DocumentNode; operation: OperationDefinitionNode },
): readonly FieldNode[] {
  let sets: readonly SelectionSetNode[] = [operation.selectionSet]
  let fields: readonly FieldNode[] = []
  for (const key of path) {
    if (typeof key === 'number') continue
    fields = sets.flatMap((set) => fieldsOf(set, { key, document }))
    sets = fields.flatMap((field) => (field.selectionSet ? [field.selectionSet] : []))
  }
  return fields
}

function fieldsOf(set: SelectionSetNode, { key, document }: { key: string; document: DocumentNode }): readonly FieldNode[] {
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return (selection.alias ?? selection.name).value === key ? [selection] : []
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(selection.selectionSet, { key, document })
    const fragment = document.definitions.find(
      (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
    )
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? fieldsOf(fragment.selectionSet, { key, document }) : []
  })
}
