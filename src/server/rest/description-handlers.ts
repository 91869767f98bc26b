import type { GraphQLSchema } from 'graphql'
import type { Handler } from '../http/http-context.ts'
import { preparedHandler } from '../http/prepared-response.ts'
import type { BoundRow } from './bound-row.ts'
import { createDocsHandlers } from './docs/docs-handlers.ts'
import { openApiDocument } from './openapi/document.ts'

/** `/openapi.json`, made from the table on the first request, and `/docs`, the page that shows it. */
export function createDescriptionHandlers(rows: readonly BoundRow[], schema: GraphQLSchema): Readonly<Record<string, Handler>> {
  return {
    '/openapi.json': preparedHandler(() => ({
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify(openApiDocument(rows, schema)),
    })),
    ...createDocsHandlers(),
  }
}
