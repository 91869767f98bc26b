import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { readFile, writeFile } from 'node:fs/promises'

// What `gql.tada generate-output` does; that command fails with TypeScript 7.0.
const introspection = introspectionFromSchema(buildSchema(await readFile('../schema.graphql', 'utf8')))
await writeFile(
  'graphql-env.d.ts',
  outputIntrospectionFile(minifyIntrospection(introspection), { fileType: '.d.ts', shouldPreprocess: true }),
)
