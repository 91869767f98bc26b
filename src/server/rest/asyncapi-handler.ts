import { createAsyncApi } from '../../features/events/asyncapi.ts'
import type { Handler } from '../http/http-context.ts'
import { preparedHandler } from '../http/prepared-response.ts'

/** `GET /asyncapi.json`: the events that this service publishes. */
export function createAsyncApiHandler(): Handler {
  return preparedHandler(() => ({ contentType: 'application/json; charset=utf-8', body: JSON.stringify(createAsyncApi()) }))
}
