import { AppError, errorReasons } from '../../kernel/errors.ts'
import { statusOf } from '../../server/http/problem.ts'
import { comment } from './json-schema-types.ts'

/** A plugin of graphql-codegen: codes and reasons of errors. */
export function plugin(): string {
  const meanings = errorReasons.map((reason) => `- \`${reason}\` (\`${new AppError(reason).code}\`): ${new AppError(reason).title}`)
  const oneOf = (names: readonly string[]): string => names.map((name) => `  | '${name}'`).join('\n')
  return [
    '// Made from the table of errors by `npm run codegen`.\n',
    `/** The kind of an error. */\nexport type ErrorCode =\n${oneOf(Object.keys(statusOf))}\n\n`,
    comment(['What exactly happened:', '', ...meanings].join('\n'), ''),
    `export type ErrorReason =\n${oneOf(errorReasons)}\n`,
  ].join('')
}
