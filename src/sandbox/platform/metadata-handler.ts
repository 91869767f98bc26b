import { execute, type ExecutionResult } from 'graphql'
import type { StandInAnswer } from '../stand-in.ts'
import { documentOf, validationErrors } from './documents.ts'
import { badArguments } from './errors.ts'
import { documentErrorAnswer, resultAnswer, serverAnswer, shapedError } from './graphql-answers.ts'
import { type GraphqlRequest, rootNames } from './graphql-request.ts'
import { asksOnlyForSchema, createIntrospections } from './introspections.ts'
import type { JsonObject } from './json.ts'
import type { MetadataContext, MetadataResolvers } from './metadata-context.ts'
import { accountResolvers } from './metadata-accounts.ts'
import { fileResolvers } from './metadata-files.ts'
import { keyResolvers } from './metadata-keys.ts'
import { listResolvers } from './metadata-lists.ts'
import { memberResolvers } from './metadata-members.ts'
import { modelResolvers } from './metadata-model.ts'
import { metadataSchema, playedField } from './metadata-schema.ts'
import type { World } from './fixtures.ts'

const metadataResolvers: MetadataResolvers = {
  ...accountResolvers,
  ...memberResolvers,
  ...modelResolvers,
  ...listResolvers,
  ...keyResolvers,
  ...fileResolvers,
}

export const metadataRootFields: ReadonlySet<string> = new Set(Object.keys(metadataResolvers))

type Question = MetadataContext & { readonly request: GraphqlRequest }

/** Answers operations of the metadata schema by graphql-js, in the platform's error shapes. */
export async function answerMetadata({ world, caller, request }: Question): Promise<StandInAnswer> {
  const schema = metadataSchema()
  const options = { hidesSuggestions: world.version !== '1.3' && caller.kind === 'nobody', accept: request.accept }
  const faults = validationErrors({ schema, query: request.query, mayIntrospect: caller.kind !== 'nobody' })
  if (faults.length > 0) return documentErrorAnswer(faults, options)
  const document = documentOf(request.query)
  const duplicate = rootNames(request).find((name, index, names) => name !== '__typename' && names.indexOf(name) !== index)
  if (duplicate !== undefined) return serverAnswer({ errors: [shapedError(duplicateError(duplicate))] })
  const contextValue: MetadataContext = { world, caller }
  const run = () =>
    execute({
      schema,
      document,
      rootValue: metadataResolvers,
      contextValue,
      fieldResolver: playedField,
      variableValues: request.variables,
      operationName: request.operationName,
    })
  const result = await (asksOnlyForSchema(request) ? introspections.of(schema, request, () => Promise.resolve(run())) : run())
  return resultAnswer(result, request.accept, (error) => versioned(world, shapedError(error)))
}

const introspections = createIntrospections<Promise<ExecutionResult>>()

function duplicateError(name: string): Error {
  const error = badArguments('', `Duplicate root resolver: "${name}"`)
  const message = 'Duplicate root resolver found. Each root resolver can only be called once per document.'
  const { subCode: _none, ...extensions } = error.extensions
  return Object.assign(error, { extensions: { ...extensions, userFriendlyMessage: { id: 'UrzTjS', message } } })
}

/** 1.3 has another code for a guarded field. */
function versioned(world: World, error: JsonObject): JsonObject {
  if (world.version !== '1.3' || error['message'] !== 'Forbidden resource') return error
  return { ...error, extensions: { code: 'INTERNAL_SERVER_ERROR', userFriendlyMessage: 'An error occurred.' } }
}
