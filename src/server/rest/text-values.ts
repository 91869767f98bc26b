import { getNullableType, type GraphQLInputType, isEnumType, isListType } from 'graphql'

/**
 * Converts the texts of a path, query or header to a value of this type. Numbers and booleans have their JSON spelling. Enum values may be in
 * any case and have hyphens (`setup/steps/brand`). A text that cannot be converted is returned unchanged, and `inputFaults` reports it.
 */
export function valueOfTexts(texts: readonly string[], type: GraphQLInputType): unknown {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return texts.map((text) => valueOfText(text, nullable.ofType))
  const [text, ...more] = texts
  return more.length > 0 || text === undefined ? texts : valueOfText(text, nullable)
}

const decimal = /^-?\d{1,15}(\.\d{1,15})?$/

function valueOfText(text: string, type: GraphQLInputType): unknown {
  const named = getNullableType(type)
  if (isListType(named)) return text
  if (isEnumType(named)) {
    const wanted = text.toUpperCase().replaceAll('-', '_')
    return named.getValues().find(({ name }) => name.toUpperCase() === wanted)?.name ?? text
  }
  if (named.name === 'Boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if ((named.name === 'Int' || named.name === 'Float') && decimal.test(text)) return Number(text)
  return text
}
