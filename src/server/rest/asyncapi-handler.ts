import { createAsyncApi } from '../../features/events/asyncapi.ts'
import { onlyMethods, problemHandler } from '../http/routes.ts'
import type { Handler } from '../http/http-context.ts'

/** `GET /asyncapi.json`: the events that this service publishes. */
export function createAsyncApiHandler(): Handler {
  const body = Buffer.from(JSON.stringify(createAsyncApi()))
  return problemHandler(
    onlyMethods(['GET', 'HEAD'], ({ request, response }) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
      response.end(request.method === 'HEAD' ? undefined : body)
    }),
  )
}
