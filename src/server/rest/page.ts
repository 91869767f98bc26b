import { getNullableType, type GraphQLObjectType, type GraphQLOutputType, isObjectType } from 'graphql'
import { z } from 'zod'
import type { Row } from './row.ts'

/** In GraphQL a list is a connection, in REST the array of its nodes: the header `Link` has the address of the next page (RFC 8288). */

/** Null for a type that is no connection. */
export function connectionIn(type: GraphQLOutputType): GraphQLObjectType | null {
  const object = getNullableType(type)
  return isObjectType(object) && object.name.endsWith('Connection') ? object : null
}

/** What REST selects of a connection. Without the edges: they have the nodes again. */
export function fieldsOfPage(connection: GraphQLObjectType): Record<string, true | Record<string, true>> {
  const names = Object.keys(connection.getFields()).filter((name) => name !== 'edges')
  return { ...Object.fromEntries(names.map((name) => [name, true as const])), pageInfo: { hasNextPage: true, endCursor: true } }
}

const pageSchema = z.looseObject({
  nodes: z.array(z.unknown()),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
})

/** The body and the headers of the answer. `query`: that of the request. */
export function pageAnswer({ path, listName }: Row, answer: unknown, query: URLSearchParams) {
  const { nodes, pageInfo, ...others } = pageSchema.parse(answer)
  const nextCursor = pageInfo.hasNextPage ? pageInfo.endCursor : null
  const next = new URLSearchParams(query)
  next.set('after', nextCursor ?? '')
  return {
    body: listName === null ? nodes : { [listName]: nodes, nextCursor, ...others },
    headers: nextCursor === null ? {} : { link: `<${path}?${next}>; rel="next"` },
  }
}
