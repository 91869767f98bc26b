import { createLocalSchema } from '../../src/server/graphql/local-schema.ts'
import { createYogaServer } from '../../src/server/graphql/yoga.ts'
import { createHttpServer } from '../../src/server/http/http-server.ts'
import { createRequestContext } from '../../src/server/http/request-context.ts'
import { bindTable } from '../../src/server/rest/bound-row.ts'
import { createRestHandler } from '../../src/server/rest/handler.ts'
import type { Row } from '../../src/server/rest/row.ts'
import { createLog } from '../../src/kernel/log.ts'
import { AppError } from '../../src/kernel/errors.ts'

export type SmallRest = AsyncDisposable & { readonly url: string }

export function rowFor(
  rootField: `${'query' | 'mutation'} ${string}`,
  shape: Partial<Omit<Row, 'kind' | 'rootField'>> & Pick<Row, 'method' | 'path'>,
): Row {
  const [kind, field = ''] = rootField.split(' ')
  const defaults = {
    arguments: {},
    constants: {},
    listName: null,
    onRequest: {},
    unless: {},
    ignoresUnknownFields: false,
    waitArgument: null,
    status: 200,
    summary: '',
    refusals: [],
    otherwise: null,
    headers: () => ({}),
  }
  return {
    ...defaults,
    name: `${field}${shape.method}${shape.path}`.replaceAll(/\W+/g, '_'),
    ...shape,
    kind: kind === 'query' ? kind : 'mutation',
    rootField: field,
  }
}

/** A REST handler on a small schema of the test's own, on a real socket. Nobody is signed in. */
export async function startSmallRest(options: {
  typeDefs: string
  resolvers: Record<string, Record<string, (source: unknown, args: never, context: never) => unknown>>
  rows: readonly Row[]
  deadlineMs?: number
  /** Gets what is logged, a line each. */
  onLine?: (line: string) => void
}): Promise<SmallRest> {
  const schema = createLocalSchema({ typeDefs: options.typeDefs, resolvers: [options.resolvers] })
  const handler = createRestHandler({
    rows: bindTable(options.rows, schema),
    yoga: createYogaServer({ schema }),
    schema,
    contextOf: (exchange) => createRequestContext(exchange, () => Promise.reject(new AppError('TOKEN_REFUSED'))),
  })
  return createHttpServer({
    host: '127.0.0.1',
    port: 0,
    trustProxy: ['loopback'],
    handlers: { '/api/*': handler },
    health: {},
    log: options.onLine ? createLog('debug', { write: options.onLine, onLost: () => {} }) : createLog('silent'),
    ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
  })
}
