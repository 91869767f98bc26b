import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildOperationNodeForField } from '@graphql-tools/utils'
import { getNamedType, type GraphQLSchema, isObjectType, Kind, OperationTypeNode, print } from 'graphql'
import { isLink } from '../../src/server/graphql/stitching/record-links.ts'
import { createTempDir } from './temp-dir.ts'

const run = promisify(execFile)
const require = createRequire(import.meta.url)
const compiler = require.resolve('relay-compiler/cli.js')

/** Runs the Relay compiler on a schema and the documents of one module with this name. Resolves to its output; rejects if it refuses them. */
export async function compileRelay(sdl: string, documents: readonly string[]): Promise<string> {
  await using folder = await createTempDir()
  mkdirSync(join(folder.path, 'src'))
  writeFileSync(join(folder.path, 'schema.graphql'), sdl)
  writeFileSync(join(folder.path, 'src', `${moduleName}.js`), documents.map((text) => `graphql\`${text}\``).join('\n'))
  writeFileSync(
    join(folder.path, 'relay.config.json'),
    JSON.stringify({ src: './src', schema: './schema.graphql', language: 'javascript' }),
  )
  const { stdout, stderr } = await run(process.execPath, [compiler, 'relay.config.json'], { cwd: folder.path })
  return stdout + stderr
}

const moduleName = 'Lists'

/** The paths to the connections below these root fields, by field names. */
export function connectionPaths(schema: GraphQLSchema, rootFields: readonly string[]): readonly (readonly string[])[] {
  const visited = new Set<string>()
  const below = (path: readonly string[], typeName: string): readonly (readonly string[])[] => {
    if (typeName.endsWith('Connection')) return [path]
    const type = schema.getType(typeName)
    if (!isObjectType(type) || visited.has(typeName)) return []
    visited.add(typeName)
    // What a link leads to is the platform's.
    const fields = Object.values(type.getFields()).filter((field) => !isLink(typeName, field.name))
    return fields.flatMap((field) => below([...path, field.name], getNamedType(field.type).name))
  }
  const fields = schema.getQueryType()?.getFields() ?? {}
  return rootFields.flatMap((name) => {
    const field = fields[name]
    return field ? below([name], getNamedType(field.type).name) : []
  })
}

/** A list as a component reads it, page after page. */
export function paginationOf(path: readonly string[]): string {
  const name = `${moduleName}_${path.join('_')}`
  const range = path.at(-1) === 'historyCalls' ? 'from: "2026-11-01", to: "2026-11-30", ' : ''
  const list = `${path.at(-1)}(${range}first: $count, after: $cursor) @connection(key: "${name}__${path.at(-1)}") { edges { node { __typename } } }`
  return `fragment ${name} on Query
    @refetchable(queryName: "${name}_Query")
    @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" })
    { ${path.slice(0, -1).reduceRight((inner, field) => `${field} { ${inner} }`, list)} }`
}

/** A root field with all its fields. Relay takes no defaults of variables that cannot be null. */
export function wholeOf(schema: GraphQLSchema, field: string): string {
  const operation = buildOperationNodeForField({ schema, kind: OperationTypeNode.QUERY, field })
  const variableDefinitions = (operation.variableDefinitions ?? []).map(({ kind, variable, type }) => ({ kind, variable, type }))
  const name = { kind: Kind.NAME, value: `${moduleName}_${field}_wholeQuery` } as const
  return print({ ...operation, name, variableDefinitions })
}
