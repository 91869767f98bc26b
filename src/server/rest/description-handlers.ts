import { readFileSync } from 'node:fs'
import type { GraphQLSchema } from 'graphql'
import type { Handler } from '../http/http-context.ts'
import { preparedHandler } from '../http/prepared-response.ts'
import type { BoundRow } from './bound-row.ts'
import { docsPage, docsPolicy } from './docs/page.ts'
import { openApiDocument } from './openapi/document.ts'

const stylePath = '/docs/style.css'

export type DescriptionHandlerOptions = {
  readonly rows: readonly BoundRow[]
  readonly schema: GraphQLSchema
  /** Where clients reach the service, for the examples. */
  readonly address: string
}

/** `/openapi.json`, made from the table, and `/docs`, the page that shows it; all of it our own files. */
export function createDescriptionHandlers({ rows, schema, address }: DescriptionHandlerOptions): Readonly<Record<string, Handler>> {
  const document = once(() => openApiDocument(rows, schema))
  return {
    '/openapi.json': preparedHandler(() => ({ contentType: 'application/json; charset=utf-8', body: JSON.stringify(document()) })),
    '/docs': preparedHandler(() => ({
      contentType: 'text/html; charset=utf-8',
      body: docsPage(document(), { stylePath, address }),
      headers: { 'content-security-policy': docsPolicy, 'referrer-policy': 'no-referrer' },
    })),
    [stylePath]: preparedHandler(() => ({
      contentType: 'text/css; charset=utf-8',
      body: readFileSync(new URL('docs/style.css', import.meta.url)),
    })),
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
