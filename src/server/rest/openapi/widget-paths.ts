import { z } from 'zod'
import type { ErrorReason } from '../../../kernel/errors.ts'
import { type WidgetEndpoint, widgetEndpoints } from '../../widget/endpoints.ts'
import type { SchemaOfBody } from './json-schema.ts'
import type { OpenApiOperation } from './operation.ts'
import { exampleOf } from './examples.ts'
import type { Parameter } from './request.ts'
import { type Answer, bodyRefusals, refusalAnswers } from './refusals.ts'

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
    responses: {
      ...Object.fromEntries(good),
      ...(body ? bodyRefusals : {}),
      ...refusalAnswers([...ofEveryPath, ...(parameters.length > 0 || body ? (['INVALID_INPUT'] as const) : []), ...refusals]),
    },
  }
}

function pathParameters({ path }: WidgetEndpoint): readonly Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: 'The ID as an earlier answer gave it.',
    schema: { type: 'string', format: 'uuid', examples: [exampleOf({ format: 'uuid', name, within: 'path' })] },
  }))
}

function queryParameters({ query }: WidgetEndpoint): readonly Parameter[] {
  return Object.entries(query ?? {}).map(([name, schema]) => {
    const { description, ...value } = jsonSchema(schema, 'input', name)
    return {
      name,
      in: 'query',
      required: !z.safeParse(schema, undefined).success,
      ...(description === undefined ? {} : { description }),
      schema: value,
    }
  })
}

const chunk = 'data: {"type":"text-delta","id":"0","delta":"Hello!"}\n\n'

function contentOf(answer: WidgetEndpoint['answers'][number]): Answer['content'] {
  if (answer === 'stream') return { 'text/event-stream': { schema: { type: 'string', examples: [chunk] } } }
  return answer ? { 'application/json': { schema: jsonSchema(answer, 'output') } } : {}
}

/**
 * Without patterns beside a format, which says the same. Answers have no patterns and defaults, which a client does not need, and may have
 * further fields later.
 */
function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output', parameter = ''): SchemaOfBody {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: part, path }) => {
      if (part.format !== undefined || io === 'output') delete part.pattern
      if (io === 'output') delete part.default
      if (io === 'output' && part.additionalProperties === false) delete part.additionalProperties
      addExample(part, path, parameter)
    },
  })
  return made
}

/** `path` is the place in the schema, such as `properties, slot, properties, id`. */
function addExample(part: z.core.JSONSchema.BaseSchema, path: readonly (string | number)[], parameter: string): void {
  if (part.type !== 'string' || part.examples || part.enum || part.const !== undefined) return
  const names = path.filter((_, index) => path[index - 1] === 'properties')
  const example = exampleOf({ format: part.format, name: String(names.at(-1) ?? parameter), within: String(names.at(-2) ?? '') })
  if (example !== undefined) part.examples = [example]
}
