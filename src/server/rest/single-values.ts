import { invalidFields } from '../../kernel/errors.ts'

/** The parameters of a query by name. Throws INVALID_INPUT, which names those that are given more than once. */
export function singleValues(query: string): Readonly<Record<string, string>> {
  const values = new Map<string, string>()
  const repeated = new Set<string>()
  // Once through: a request has room for thousands of names.
  for (const [name, value] of new URLSearchParams(query)) {
    if (values.has(name)) repeated.add(name)
    values.set(name, value)
  }
  if (repeated.size > 0) throw invalidFields([...repeated].map((path) => ({ path, message: 'is given more than once' })))
  return Object.fromEntries(values)
}
