import { z } from 'zod'
import type { ErrorReason } from '../../../kernel/errors.ts'
import { type WidgetEndpoint, widgetEndpoints } from '../../widget/endpoints.ts'
import type { SchemaOfBody } from './json-schema.ts'
import type { OpenApiOperation } from './operation.ts'
import type { Parameter } from './request.ts'
import { type Answer, refusalAnswers } from './refusals.ts'

const ofEveryPath: readonly ErrorReason[] = ['WIDGET_KEY_REFUSED', 'ORIGIN_REFUSED', 'TOO_MANY_TRIES', 'STORE_UNAVAILABLE']

/** The widget's public paths, described by their zod schemas. They run no GraphQL operation. */
export function widgetPaths(): Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>> {
  const all: readonly WidgetEndpoint[] = Object.values(widgetEndpoints)
  const byPath = Map.groupBy(all, ({ path }) => path)
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [path, Object.fromEntries(group.map((one) => [one.method.toLowerCase(), operationOf(one)]))]),
  )
}

function operationOf(endpoint: WidgetEndpoint): OpenApiOperation {
  const { name, summary, body, answers, refusals } = endpoint
  const parameters = [...pathParameters(endpoint), ...queryParameters(endpoint)]
  const good = Object.entries(answers).map(([status, answer]): [string, Answer] => [
    status,
    { description: summary, content: contentOf(answer) },
  ])
  return {
    operationId: name,
    tags: ['widget'],
    summary,
    description: 'For pages of the origins of the key in `x-widget-key`. The `Origin` header decides. Needs no token.',
    security: [{ widgetKey: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } } } : {}),
    responses: { ...Object.fromEntries(good), ...refusalAnswers([...ofEveryPath, ...refusals]) },
  }
}

function pathParameters({ path }: WidgetEndpoint): readonly Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  }))
}

function queryParameters({ query }: WidgetEndpoint): readonly Parameter[] {
  return Object.entries(query ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !z.safeParse(schema, undefined).success,
    schema: jsonSchema(schema, 'input'),
  }))
}

function contentOf(answer: WidgetEndpoint['answers'][number]): Answer['content'] {
  if (answer === 'stream') return { 'text/event-stream': { schema: { type: 'string' } } }
  return answer ? { 'application/json': { schema: jsonSchema(answer, 'output') } } : {}
}

/** Without patterns beside a format, which says the same, and without patterns and defaults in answers, where a client needs neither. */
function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output'): SchemaOfBody {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: part }) => {
      if (part.format !== undefined || io === 'output') delete part.pattern
      if (io === 'output') delete part.default
    },
  })
  return made
}
