import { getNullableType, type GraphQLArgument, isInputObjectType } from 'graphql'
import { AppError, type FieldFault, withFields } from '../../../kernel/errors.ts'

type Arguments = Readonly<Record<string, Pick<GraphQLArgument, 'type'>>>

/**
 * A use case names the fields of its input: `phoneNumber`. The client sent them in an argument: `input.phoneNumber`. Paths that begin with an
 * argument stay, and so do all errors without fields.
 */
export function withArgumentPaths(error: unknown, args: Arguments): unknown {
  if (!(error instanceof AppError) || !error.data?.fields) return error
  return withFields(error, (field): FieldFault => ({ ...field, path: argumentPath(field.path, args) }))
}

function argumentPath(path: string, args: Arguments): string {
  const [first = ''] = path.split('.')
  if (args[first]) return path
  const owner = Object.entries(args).find(([, { type }]) => {
    const named = getNullableType(type)
    return isInputObjectType(named) && Object.hasOwn(named.getFields(), first)
  })
  return owner ? `${owner[0]}.${path}` : path
}
