import { GraphQLError, GraphQLScalarType, Kind } from 'graphql'

/** A real day is checked beside it. */
export const dateTimeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** The scalar DateTime. What comes in must be ISO 8601 with a zone, and reaches the resolvers in UTC with milliseconds. */
export const dateTimeScalar = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'A moment: ISO 8601 in UTC with milliseconds, for example `2026-03-01T09:30:00.000Z`.',
  parseValue: (value) => parseDateTime(value),
  parseLiteral: (node) => parseDateTime(node.kind === Kind.STRING ? node.value : null),
  serialize: (value) => parseDateTime(value instanceof Date ? value.toISOString() : value),
})

function parseDateTime(value: unknown): string {
  const epochMs = typeof value === 'string' && dateTimeForm.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(epochMs) || !realDay(String(value))) {
    throw new GraphQLError('must be a moment in ISO 8601 with its zone, for example 2026-03-01T09:30:00.000Z', {
      extensions: { code: 'BAD_USER_INPUT' },
    })
  }
  return new Date(epochMs).toISOString()
}

/** `Date.parse` takes 30 February for 2 March. */
function realDay(value: string): boolean {
  const day = value.slice(0, 10)
  return new Date(`${day}T00:00:00.000Z`).toISOString().startsWith(day)
}
