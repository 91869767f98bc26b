import { z } from 'zod'
import { invalidInput } from './errors.ts'
import { derivedId } from './ids.ts'

/** A page of a list, as https://relay.dev/graphql/connections.htm describes it, with `nodes` as a short form of `edges`. */
export type Connection<Node> = {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[]
  readonly nodes: readonly Node[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
}

/** `after`: a cursor of the list; null or undefined for the first page. */
export type PageRequest = { readonly first: number; readonly after?: string | null | undefined }

/** A list of one workspace. `position`: what a cursor says about the place of an entry. It must hold nothing that the entry does not show. */
export type PagedList<Position> = { readonly name: string; readonly workspaceId: string; readonly position: z.ZodType<Position> }
export type Positioned<Node, Position> = { readonly node: Node; readonly position: Position }
/** `readTo`: where reading ended before there were enough entries, although there may be more. */
export type Found<Node, Position> = { readonly entries: readonly Positioned<Node, Position>[]; readonly readTo?: Position | null }

/**
 * Reads a page. `read` returns, in the order of the list, up to `count` entries that come after a position: so a page begins where the one
 * before ended, whatever was added or removed meanwhile. Errors: INVALID_INPUT (a cursor of another list or workspace), those of `read`.
 */
export async function readConnection<Node, Position>(
  list: PagedList<Position>,
  { first, after = null }: PageRequest,
  read: (after: Position | null, count: number) => Promise<Found<Node, Position>>,
): Promise<Connection<Node>> {
  const mark = markOf(list)
  const { entries, readTo = null } = await read(after === null ? null : positionIn(after, list.position, mark), first + 1)
  const edges = entries.slice(0, first).map(({ node, position }) => ({ cursor: cursorOf(mark, position), node }))
  const isFull = entries.length > first
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: isFull || readTo !== null,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: isFull || readTo === null ? (edges.at(-1)?.cursor ?? null) : cursorOf(mark, readTo),
    },
  }
}

/** The same page with other nodes, one for each in their order. */
export function withNodes<Node>({ edges, pageInfo }: Connection<unknown>, nodes: readonly Node[]): Connection<Node> {
  return { edges: edges.flatMap(({ cursor }, index) => nodes.slice(index, index + 1).map((node) => ({ cursor, node }))), nodes, pageInfo }
}

/** Recognises the cursors of a list. It is no secret: a forged cursor only chooses another place in the actor's own list. */
function markOf({ name, workspaceId }: PagedList<unknown>): string {
  return derivedId('cursor', name, workspaceId).slice(0, 8)
}

function cursorOf(mark: string, position: unknown): string {
  return Buffer.from(JSON.stringify([mark, position])).toString('base64url')
}

function positionIn<Position>(cursor: string, position: z.ZodType<Position>, mark: string): Position {
  try {
    return z.tuple([z.literal(mark), position]).parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))[1]
  } catch {
    throw invalidInput('after', 'must be a cursor of this list')
  }
}
