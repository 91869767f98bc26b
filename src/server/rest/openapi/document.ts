import { getDirective } from '@graphql-tools/utils'
import type { GraphQLSchema } from 'graphql'
import manifest from '../../../../package.json' with { type: 'json' }
import type { BoundRow } from '../bound-row.ts'
import { listIn } from '../page.ts'
import { answerSchema } from './answer-schema.ts'
import { audioPaths } from './audio-path.ts'
import { scorecardsCsvPaths } from './scorecards-csv-path.ts'
import { csvPaths } from './csv-path.ts'
import { createComponents, type Components, type JsonSchema } from './json-schema.ts'
import type { OpenApiOperation } from './operation.ts'
import { parametersOf, requestBodyOf } from './request.ts'
import { tagOf, tagsOf } from './tags.ts'
import { type ProblemExample, problemExamples } from './problem-examples.ts'
import { problemSchema } from './problem-schema.ts'
import { type Answer, refusalsOf } from './refusals.ts'
import { webhookPaths, webhookSchemas } from './webhooks.ts'
import { widgetPaths } from './widget-paths.ts'

/** The part of OpenAPI 3.1 that this service uses. */
export type OpenApiDocument = {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly contact: { readonly name: string }
  }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly webhooks: ReturnType<typeof webhookPaths>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>
    readonly schemas: Readonly<Record<string, JsonSchema | ReturnType<typeof webhookSchemas>['AlertMessage']>>
    readonly examples: Readonly<Record<string, ProblemExample>>
  }
}

const introduction = `The REST operations of the call-center sidecar. Each one runs a field of the GraphQL schema, so rights, limits and errors are the same.

- Sign in with \`POST /auth/login\`, then send the access token as \`Authorization: Bearer\`. This page does that for you after a sign-in.
- Bodies are JSON of at most 1 MB. Unknown fields are refused, except where the body's schema allows them: those are ignored.
- Errors are \`application/problem+json\` (RFC 9457).`

/** Describes the table: requests from its arguments, answers from the selected fields, texts from the schema. */
export function openApiDocument(rows: readonly BoundRow[], schema: GraphQLSchema): OpenApiDocument {
  const components = createComponents()
  components.refer('Problem', () => problemSchema)
  const byPath = Map.groupBy(rows, ({ path }) => path)
  const paths = Object.fromEntries(
    [...byPath].map(([path, group]) => [
      path,
      Object.fromEntries(group.map((row) => [row.method.toLowerCase(), operationOf(row, { schema, components })])),
    ]),
  )
  const all = { ...paths, ...audioPaths, ...scorecardsCsvPaths, ...csvPaths, ...widgetPaths() }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Call-center sidecar',
      version: manifest.version,
      description: introduction,
      contact: { name: 'The operator of this service' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: tagsOf(Object.keys(all)),
    paths: all,
    webhooks: webhookPaths(),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        widgetKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-widget-key',
          description: 'Not a secret. It is valid only on pages of its origins.',
        },
      },
      examples: problemExamples(all),
      schemas: Object.fromEntries(
        Object.entries({ ...components.schemas, ...webhookSchemas() }).toSorted(([a], [b]) => a.localeCompare(b)),
      ),
    },
  }
}

function operationOf(row: BoundRow, scope: { schema: GraphQLSchema; components: Components }): OpenApiOperation {
  const role = roleFor(row, scope.schema)
  const parameters = parametersOf(row, scope.components)
  const requestBody = requestBodyOf(row, scope.components)
  return {
    operationId: row.name,
    tags: [tagOf(row.path)],
    summary: row.summary,
    description: [withoutPath(row.field.description ?? ''), role ? `Requires the role ${role}.` : 'Needs no token.']
      .filter(Boolean)
      .join(' '),
    ...(role ? {} : { security: [] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: { ...answersOf(row, scope), ...refusalsOf(row, { needsRole: role !== null }) },
  }
}

const nextPageHeader = {
  Link: {
    description: 'The address of the next page: `</path?after=...>; rel="next"`. The last page has no such header.',
    schema: { type: 'string', examples: ['</api/calls/missed?first=50&after=WyI1ZjBjNmYwZSIs>; rel="next"'] },
  },
}

function answersOf(row: BoundRow, scope: { schema: GraphQLSchema; components: Components }): Record<string, Answer> {
  const { status, otherwise, summary } = row
  const contentOf = (includes: (typeName: string) => boolean) => ({
    'application/json': { schema: answerSchema(row, { ...scope, includes }) },
  })
  const type = otherwise?.type
  return {
    [String(status)]: {
      description: summary,
      ...(listIn(row.field.type) && { headers: nextPageHeader }),
      content: contentOf((name) => name !== type),
    },
    ...(otherwise
      ? {
          [String(otherwise.status)]: { description: otherwise.summary, content: contentOf((name) => type === undefined || name === type) },
        }
      : {}),
  }
}

/** The role that the schema requires. Null for a public field. */
function roleFor({ field }: BoundRow, schema: GraphQLSchema): string | null {
  const auth = getDirective(schema, field, 'auth')?.[0]
  return auth ? String(auth['role'] ?? 'USER') : null
}

/** The schema names the path of each root field, which the API description shows anyway. */
function withoutPath(description: string): string {
  return description.replaceAll(/\s*REST: `[^`]+`\./g, '')
}
