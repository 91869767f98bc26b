import { getNullableType, type GraphQLObjectType, type GraphQLOutputType, isObjectType } from 'graphql'
import { z } from 'zod'
import type { Row } from './row.ts'

/** In GraphQL a list is a connection, in REST the array of its nodes: the header `Link` has the address of the next page (RFC 8288). */

/** Null for a type that is no connection. */
export function connectionIn(type: GraphQLOutputType): GraphQLObjectType | null {
  const object = getNullableType(type)
  return isObjectType(object) && object.name.endsWith('Connection') ? object : null
}

/** The list of an answer: the answer itself (name null) or one of its fields. Null if it has none. */
export function listIn(answer: GraphQLOutputType): { readonly name: string | null; readonly connection: GraphQLObjectType } | null {
  const whole = connectionIn(answer)
  if (whole) return { name: null, connection: whole }
  const object = getNullableType(answer)
  for (const { name, type } of isObjectType(object) ? Object.values(object.getFields()) : []) {
    const connection = connectionIn(type)
    if (connection) return { name, connection }
  }
  return null
}

type Selected = { readonly [name: string]: true | Selected }

/** What REST selects of an answer with a list. Without the edges: they have the nodes again. */
export function selectedOf(answer: GraphQLOutputType): Selected | null {
  const list = listIn(answer)
  const object = getNullableType(answer)
  if (!list || !isObjectType(object)) return null
  const page = { ...allOf(list.connection, 'edges'), pageInfo: { hasNextPage: true, endCursor: true } } as const
  return list.name === null ? page : { ...allOf(object), [list.name]: page }
}

function allOf(type: GraphQLObjectType, except?: string): Record<string, true> {
  const names = Object.keys(type.getFields()).filter((name) => name !== except)
  return Object.fromEntries(names.map((name) => [name, true as const]))
}

const pageSchema = z.looseObject({
  nodes: z.array(z.unknown()),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
})

/** The body and the headers of an answer. `query`: that of the request. */
export function restAnswer(
  { field, path, listName }: Pick<Row, 'path' | 'listName'> & { readonly field: { readonly type: GraphQLOutputType } },
  answer: unknown,
  query: URLSearchParams,
) {
  const list = listIn(field.type)
  if (!list) return { body: answer, headers: {} }
  const whole = list.name === null ? {} : z.looseObject({}).parse(answer)
  const { nodes, pageInfo, ...others } = pageSchema.parse(list.name === null ? answer : whole[list.name])
  const nextCursor = pageInfo.hasNextPage ? pageInfo.endCursor : null
  const next = new URLSearchParams(query)
  next.set('after', nextCursor ?? '')
  const inObject = listName === null ? nodes : { [listName]: nodes, nextCursor, ...others }
  return {
    body: list.name === null ? inObject : { ...whole, [list.name]: nodes },
    headers: nextCursor === null ? {} : { link: `<${path}?${next}>; rel="next"` },
  }
}
