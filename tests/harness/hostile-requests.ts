import type { GraphQLArgument, GraphQLSchema } from 'graphql'
import { wholeBody } from '../../src/server/rest/bound-argument.ts'
import type { BoundRow } from '../../src/server/rest/bound-row.ts'

/** A request that an attacker sends. */
export type HostileRequest = {
  readonly label: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const json = { 'content-type': 'application/json' }
/** The largest JSON body, and two with nearly as many keys as a GraphQL request and a REST body may have. */
export const hostileSizes = [1_040_000, 262_000, 45_000] as const

/** A row's path with this text for each parameter. */
export function pathOf({ path }: Pick<BoundRow, 'path'>, parameter: string): string {
  return path.replaceAll(/\{\w+\}/g, encodeURIComponent(parameter))
}

/** The text as the whole body of a row, and as each of its fields. */
export function restRequests(row: BoundRow, text: string): readonly HostileRequest[] {
  const path = pathOf(row, 'a')
  const bodies = row.method === 'GET' ? [] : [text, ...bodyFields(row).map((name) => `{"${name}":${text}}`)]
  return bodies.map((body, index) => ({ label: `${row.method} ${path} ${index}`, method: row.method, path, headers: json, body }))
}

function bodyFields({ bound, field }: BoundRow): readonly string[] {
  const names = bound.filter(({ from }) => from.in === 'body').map(({ from }) => from.name)
  if (!names.includes(wholeBody)) return names
  const inputs = field.args.flatMap(({ type }) =>
    'ofType' in type && 'getFields' in type.ofType ? Object.keys(type.ofType.getFields()) : [],
  )
  return inputs.slice(0, 3)
}

/** Each argument of a root field gets the text by a variable; without arguments there is none. */
export function rootFieldRequests(schema: GraphQLSchema, text: string): readonly HostileRequest[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const
  return roots.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => {
      const uses = field.args.map(({ name }) => `${name}: $${name}`).join(', ')
      const query = `${kind}${definitions(field.args)} { ${field.name}${uses === '' ? '' : `(${uses})`} { __typename } }`
      const variables = field.args.map(({ name }) => `"${name}":${text}`).slice(0, 1)
      const body = `{"query":${JSON.stringify(query)},"variables":{${variables.join(',') || `"other":${text}`}}}`
      return { label: `${kind} ${field.name}`, method: 'POST', path: '/graphql', headers: json, body }
    }),
  )
}

function definitions(args: readonly GraphQLArgument[]): string {
  return args.length === 0 ? '' : `(${args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')})`
}

/** GraphQL documents that cost much for their size. */
export function dearDocuments(bytes: number): Readonly<Record<string, string>> {
  const many = (count: number, piece: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => piece(index)).join(' ')
  const long = 'n'.repeat(bytes / 2)
  return {
    'only line breaks': `${'\n'.repeat(bytes / 2)}}`,
    'only comments': `${'#\n'.repeat(bytes / 3)}{ me { role } }`,
    'only commas': `${','.repeat(bytes)}{ me { nothing } }`,
    'errors after many lines': `${'\n'.repeat(4_900)}{ ${many(50, () => 'me { nothing }')} }`,
    'one argument again and again': `{ me(${many(3_700, () => 'a: 1')}) { role } }`,
    'one variable again and again': `query(${many(3_700, () => '$a: Int')}) { me { role } }`,
    'unused variables of both sides': `query(${many(3_000, (index) => `$a${index}: Int`)}) { me { role } leads { edges { node { id } } } } ${' '.repeat(bytes / 2)}`,
    'a long name': `{ ${long} }`,
    'a long name in many messages': `query ${long} { me { ${many(40, () => 'x(v: $b)')} } }`,
    'a long text': `mutation { agentLogin(input: { email: "${'x'.repeat(bytes / 2)}", password: 5 }) { memberId } }`,
    'a long text in the wrong place': `{ "${'x'.repeat(bytes / 2)}" }`,
    'a text of escapes': `{ me(a: "${'\\u0041'.repeat(bytes / 8)}") { role } }`,
    'a block of lines': `{ me(a: """${'\n  x'.repeat(bytes / 8)}""") { role } }`,
    'unknown fields of an input': `mutation { agentLogin(input: { ${many(4_800, (index) => `k${index}: 0`)} }) { memberId } }`,
    'unknown fields': `{ me { ${many(10_000, (index) => `rol${index}`)} } }`,
    'unknown directives': `{ me { role ${many(10, () => '@aa')} } }`,
    'many directives': `{ me { ${many(200, (index) => `a${index}: role @aa @bb @cc`)} } }`,
    'a wide list': `{ me(a: [${many(14_000, (index) => String(index))}]) { role } }`,
    'a wide list of lists': `{ me(a: [${many(4_000, () => '[1]')}]) { role } }`,
    'deep fields': `${'{ a '.repeat(7_000)}${'}'.repeat(7_000)}`,
    'deep values': `{ me(a: ${'['.repeat(7_000)}${']'.repeat(7_000)}) { role } }`,
    'words of a message': `{ me(a: "${'cannot represent '.repeat(bytes / 40)}") { role } } `,
    conflicts: `{ ${many(20, (index) => `me { ${many(40, (inner) => `f${inner}: role${index}`)} }`)} }`,
    'type definitions': many(99, (index) => `type T${index} { ${many(20, (inner) => `f${inner}: Int`)} }`),
    'sides that alternate': `mutation { ${many(25, (index) => `a${index}: agentLogout { ok } b${index}: updateLead(id: 1) { id }`)} c: updateLead(id: "${'x'.repeat(bytes / 2)}") { id } }`,
    'operations of several sides': `${many(98, (index) => `query Q${index} { me { role } leads { edges { node { id } } } currentUser { id } }`)} query X { leads(a: "${'x'.repeat(bytes / 2)}") { id } }`,
    operations: many(99, (index) => `query Q${index} { me { x${index} } }`),
  }
}

/** The body of a request with a document; of several operations the second one runs. */
export function documentBody(label: string, query: string): string {
  return JSON.stringify({ query, ...(label.startsWith('operations') && { operationName: 'Q1' }) }).slice(0, 1_048_576)
}

/** A form of the GraphQL multipart request. */
export function uploadOf(operations: string, map: string, rest = ''): HostileRequest {
  const field = (name: string, value: string): string => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const file = '--b\r\ncontent-disposition: form-data; name="0"; filename="a"\r\n\r\n'
  return {
    label: `upload of ${Math.round(operations.length / 1_024)} kB, ${Math.round(map.length / 1_024)} kB and ${rest.slice(0, 30).trim()}`,
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'multipart/form-data; boundary=b', authorization: 'Bearer none' },
    body: `${field('operations', operations)}${field('map', map)}${file}${rest}\r\n--b--\r\n`,
  }
}
