import { type DocumentNode, Kind, type OperationDefinitionNode, visit } from 'graphql'
import type { RootField } from './root-selections.ts'

/** The prefix of a type of the metadata endpoint whose name the workspace's records have too. Its root fields get it in lower case. */
export const metadataPrefix = 'Metadata'

const prefixedField = /^metadata([A-Z]\w*)$/
const prefixedType = /^Metadata[A-Z]/
/** Types that the metadata endpoint itself calls so, as of version 2.21. */
const nativeTypes: ReadonlySet<string> = new Set(['MetadataEvent', 'MetadataEventAction'])

/** `createCalendarEvent` -> `metadataCreateCalendarEvent`. */
export function prefixedFieldName(name: string): string {
  return `metadata${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

/** `metadataCreateCalendarEvent` -> `createCalendarEvent`; other names as they are. */
export function unprefixedFieldName(name: string): string {
  const [, rest = ''] = prefixedField.exec(name) ?? []
  return rest === '' ? name : rest.slice(0, 1).toLowerCase() + rest.slice(1)
}

/**
 * Whether the operation uses names that only the combined schema has: neither endpoint of the platform knows them. `named` are the root fields
 * of the metadata endpoint.
 */
export function usesPrefixedNames(
  operation: OperationDefinitionNode,
  { document, fields, named }: { document: DocumentNode; fields: readonly RootField[]; named: ReadonlySet<string> },
): boolean {
  const isPrefixed = ({ node: { name } }: RootField): boolean =>
    prefixedField.test(name.value) && named.has(unprefixedFieldName(name.value))
  return fields.some(isPrefixed) || namesPrefixedType(operation, document)
}

/** In a variable or a fragment. */
function namesPrefixedType(operation: OperationDefinitionNode, document: DocumentNode): boolean {
  let found = false
  if (!document.loc?.source.body.includes(metadataPrefix)) return false
  const visitor = {
    NamedType({ name: { value } }: { name: { value: string } }) {
      if (prefixedType.test(value) && !nativeTypes.has(value)) found = true
    },
  }
  for (const definition of document.definitions) {
    if (definition === operation || definition.kind === Kind.FRAGMENT_DEFINITION) visit(definition, visitor)
  }
  return found
}
