import { buildSchema } from 'graphql'
import { z } from 'zod'
import { readContract } from '../../server/graphql/local-schema.ts'
import { bindTable } from '../../server/rest/bound-row.ts'
import { openApiDocument } from '../../server/rest/openapi/document.ts'
import { restTable } from '../../server/rest/table.ts'
import { comment, member, type Schema, typeOf, union } from './json-schema-types.ts'

type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}
type Content = Readonly<Record<string, { readonly schema?: Schema }>>
type Operation = {
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
export type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** A plugin of graphql-codegen: the operations of the OpenAPI document by method and path. */
export function plugin(): string {
  const schema = buildSchema(readContract())
  return restTypes(z.custom<OpenApi>().parse(JSON.parse(JSON.stringify(openApiDocument(bindTable(restTable, schema), schema)))))
}

function restTypes({ paths, components }: OpenApi): string {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    const type = typeOf(schema)
    const head = type.startsWith('{') ? `export interface ${name} ${type}` : `export type ${name} = ${type}`
    return `${comment(schema.description, '')}${head}\n\n`
  })
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationMember(`${method.toUpperCase()} ${path}`, operation)),
  )
  return [
    '// Made from the OpenAPI document by `npm run codegen`.\n',
    ...schemas,
    '/** The REST operations by method and path. */\nexport interface RestOperations {\n',
    ...operations,
    '}\n',
  ].join('')
}

function operationMember(name: string, operation: Operation): string {
  const { summary, description, parameters = [], requestBody, responses } = operation
  const body = requestBody ? typeOf(Object.values(requestBody.content)[0]?.schema ?? {}, '    ') : null
  const parts = [
    ...(['path', 'query', 'header'] as const).flatMap((place) =>
      parametersMember(
        place,
        parameters.filter((one) => one.in === place),
      ),
    ),
    ...(body === null ? [] : [member({ name: 'body', type: body, isOptional: requestBody?.required !== true }, '  ')]),
    member({ name: 'answer', type: answerType(responses), isOptional: false }, '  '),
  ]
  return `${comment([summary, description].filter(Boolean).join('\n\n'), '  ')}  readonly '${name}': {\n${parts.join('')}  }\n`
}

function parametersMember(place: 'path' | 'query' | 'header', parameters: readonly Parameter[]): readonly string[] {
  if (parameters.length === 0) return []
  const members = parameters.map(({ name, required, description, schema = {} }) =>
    member({ name, type: typeOf(schema, '      '), isOptional: required !== true, description }, '    '),
  )
  const isOptional = parameters.every(({ required }) => required !== true)
  return [member({ name: place === 'header' ? 'headers' : place, type: `{\n${members.join('')}    }`, isOptional }, '  ')]
}

/** JSON as its type, everything else as the response itself. */
function answerType(responses: Operation['responses']): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return union(
    good.flatMap(([, { content = {} }]) => {
      const types = Object.entries(content).map(([type, { schema }]) =>
        type === 'application/json' ? typeOf(schema ?? {}, '    ') : 'Response',
      )
      return types.length > 0 ? types : ['null']
    }),
  )
}
