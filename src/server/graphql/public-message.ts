import { cut } from '../../kernel/errors.ts'

const maxChars = 300

/** Messages of graphql's that have a value. What begins with `value` is replaced. */
const withValue = [
  { message: ' cannot represent ', value: ': ', by: '' },
  { message: 'Expected value of type ', value: ', found ', by: '' },
  { message: 'Syntax Error: ', value: 'String "', by: 'String' },
] as const

/** A message of graphql's about a document, without values: they may be secrets, or as large as the request. Names in documents are short. */
export function publicMessage(message: string): string {
  if (message.startsWith('Value "')) return cut(`The value ${message.slice(message.lastIndexOf('does not exist'))}`, maxChars)
  for (const { message: part, value, by } of withValue) {
    const partAt = message.indexOf(part)
    const valueAt = partAt < 0 ? -1 : message.indexOf(value, partAt)
    if (valueAt >= 0) return cut(message.slice(0, valueAt) + by, maxChars)
  }
  return cut(unknownNames.some((words) => message.startsWith(words)) ? `${message} ${whereNames}` : message, maxChars)
}

const unknownNames = ['Cannot query field "', 'Unknown argument "', 'Unknown type "']
/** Suggestions of names would show the schema to everybody. */
const whereNames = 'GraphiQL and GET /schema.graphql have all names'
