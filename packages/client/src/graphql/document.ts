import { argumentTypes } from './generated.ts'

export type OperationKind = 'query' | 'mutation' | 'subscription'
export type Variables = Readonly<Record<string, unknown>>
export type Operation = { readonly query: string; readonly variables: Variables }

/** A selection as data. */
type Tree = Readonly<Record<string, unknown>>

/** The document of a selection. Arguments become variables, so no value is ever part of the text. */
export function documentOf(kind: OperationKind, selection: object): Operation {
  const declared: string[] = []
  const variables: Record<string, unknown> = {}
  const withArguments = (name: string, types: Readonly<Record<string, string>>, given: Tree): string => {
    const used = Object.entries(given).filter(([, value]) => value !== undefined)
    const parts = used.map(([argument, value]) => {
      const type = types[argument]
      if (type === undefined) throw new TypeError(`${name} has no argument ${argument}`)
      const variable = `v${declared.length}`
      declared.push(`$${variable}: ${type}`)
      variables[variable] = value
      return `${argument}: $${variable}`
    })
    return parts.length > 0 ? `(${parts.join(', ')})` : ''
  }
  const fields = (tree: Tree, group: string): string => {
    const { on, $: _, ...rest } = tree
    const own = Object.entries(rest).flatMap(([name, value]) => {
      if (value === undefined || value === false) return []
      const below = isTree(value) ? value : {}
      const given = isTree(below['$']) ? withArguments(name, argumentTypes[group]?.[name] ?? {}, below['$']) : ''
      const inner = Object.keys(below).some((key) => key !== '$') ? ` ${fields(below, 'nested')}` : ''
      return [`${name}${given}${inner}`]
    })
    const choices = isTree(on)
      ? Object.entries(on).map(([type, value]) => `... on ${type} ${isTree(value) ? fields(value, 'nested') : ''}`)
      : []
    return `{ ${[...(isTree(on) ? ['__typename'] : []), ...own, ...choices].join(' ')} }`
  }
  const body = fields({ ...selection }, kind)
  return { query: `${kind}${declared.length > 0 ? `(${declared.join(', ')})` : ''} ${body}`, variables }
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null
}

/**
 * A document of your own with its types: text of the client preset (`documentMode: 'string'`), a `TypedDocumentNode` of graphql-tag or
 * gql.tada, or plain text, whose variables and data have no types.
 */
export type TypedDocument<Data, Given> = string | { readonly __apiType?: ((variables: Given) => Data) | undefined; readonly kind?: string }

/** What follows a document: its variables, which may be left out if none is required, and options. */
export type OwnParameters<Given, Options> =
  Partial<Given> extends Given ? [variables?: Given, options?: Options] : [variables: Given, options?: Options]

type Own = { readonly document: unknown; readonly variables: unknown; readonly print: ((node: never) => string) | undefined }

export function ownOperation({ document, variables, print }: Own): Operation {
  return { query: textOf(document, print), variables: isTree(variables) ? variables : {} }
}

/** The text of a document. Nodes without their source, such as those of gql.tada, need the client's option `print`. */
function textOf(document: unknown, print: ((node: never) => string) | undefined): string {
  if (!isTree(document) || document['kind'] !== 'Document') return String(document)
  const { loc } = document
  const source = isTree(loc) && isTree(loc['source']) ? loc['source']['body'] : null
  if (typeof source === 'string') return source
  const text: unknown = print && Reflect.apply(print, undefined, [document])
  if (typeof text === 'string') return text
  throw new TypeError('The document has no text: give createClient the option `print`, for example that of @0no-co/graphql.web')
}
