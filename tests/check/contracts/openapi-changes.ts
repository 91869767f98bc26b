import { z } from 'zod'
import type { BreakingChange } from './change.ts'
import { type Comparison, type JsonChange, jsonSchemaChanges, type Pair } from './json-schema-changes.ts'

const content = z.record(z.string(), z.looseObject({ schema: z.unknown().optional() })).default({})
const operationSchema = z.looseObject({
  operationId: z.string(),
  security: z.array(z.unknown()).optional(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean(), schema: z.unknown() })).default([]),
  requestBody: z.looseObject({ required: z.boolean().default(false), content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content, headers: z.record(z.string(), z.unknown()).default({}) })),
})
type Operation = z.output<typeof operationSchema>
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})

/** What breaks clients of the REST paths, generated ones included. */
export function openApiChanges(before: unknown, after: unknown): readonly BreakingChange[] {
  const [old, current] = [documentSchema.parse(before), documentSchema.parse(after)]
  const named = { before: old.components.schemas, after: current.components.schemas }
  const requests: Comparison = { direction: 'request', named, seen: new Set() }
  const answers: Comparison = { direction: 'answer', named, seen: new Set() }
  const ofPaths = Object.entries(old.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): readonly JsonChange[] => {
      const name = `${method.toUpperCase()} ${path}`
      const now = current.paths[path]?.[method]
      if (!now) return [{ at: [name], what: 'it was removed' }]
      return operationChanges({ name, old: operation, current: now }, { requests, answers })
    }),
  )
  // Every operation answers errors in this one form.
  const { Problem: problem } = old.components.schemas
  const error = { before: problem, after: current.components.schemas['Problem'], at: ['Problem'] }
  return [...ofPaths, ...(problem === undefined ? [] : jsonSchemaChanges(error, answers))].map(changeOf)
}

function changeOf({ at, what }: JsonChange): BreakingChange {
  const within = at.slice(0, -1).map((_, index) => at.slice(0, index + 1).join('.'))
  return { contract: 'REST', name: at.join('.'), within, message: what }
}

type Both = { readonly name: string; readonly old: Operation; readonly current: Operation }
type Comparisons = { readonly requests: Comparison; readonly answers: Comparison }

function operationChanges({ name, old, current }: Both, { requests, answers }: Comparisons): readonly JsonChange[] {
  const at = [name]
  return [
    ...(old.operationId === current.operationId ? [] : [{ at, what: `its operationId was ${old.operationId}` }]),
    ...(old.security?.length === 0 && current.security?.length !== 0 ? [{ at, what: 'it needs a token' }] : []),
    ...parameterChanges({ name, old, current }, requests),
    ...bodyChanges({ name, old, current }, requests),
    ...Object.entries(old.responses).flatMap(([status, { content: before, headers }]) => {
      if (!status.startsWith('2')) return []
      const answer = current.responses[status]
      if (!answer) return [{ at, what: `it has no status ${status} any more` }]
      const lost = Object.keys(headers).filter((header) => !(header in answer.headers))
      const ofHeaders = lost.map((header) => ({ at: [name, header], what: 'this header was removed' }))
      return [...ofHeaders, ...contentChanges({ before, after: answer.content, at }, answers)]
    }),
  ]
}

function parameterChanges({ name, old, current }: Both, requests: Comparison): readonly JsonChange[] {
  const placeOf = (parameter: { name: string }) => [name, parameter.name]
  const find = (all: Operation['parameters'], one: { name: string; in: string }) =>
    all.find((other) => other.name === one.name && other.in === one.in)
  return [
    ...old.parameters.flatMap((parameter): readonly JsonChange[] => {
      const now = find(current.parameters, parameter)
      if (!now) return [{ at: placeOf(parameter), what: 'it was removed' }]
      const became = now.required && !parameter.required ? [{ at: placeOf(parameter), what: 'it is required' }] : []
      return [...became, ...jsonSchemaChanges({ before: parameter.schema, after: now.schema, at: placeOf(parameter) }, requests)]
    }),
    ...current.parameters
      .filter((parameter) => parameter.required && !find(old.parameters, parameter))
      .map((parameter) => ({ at: placeOf(parameter), what: 'it is required' })),
  ]
}

function bodyChanges({ name, old, current }: Both, requests: Comparison): readonly JsonChange[] {
  const [before, after] = [old.requestBody, current.requestBody]
  const at = [name, 'body']
  const required = after?.required === true && before?.required !== true ? [{ at, what: 'it is required' }] : []
  if (!before) return required
  if (!after) return [{ at, what: 'it was removed' }]
  return [...required, ...contentChanges({ before: before.content, after: after.content, at: [name] }, requests)]
}

function contentChanges(
  { before, after, at }: Pair & Record<'before' | 'after', Operation['responses'][string]['content']>,
  comparison: Comparison,
) {
  return Object.entries(before).flatMap(([type, { schema }]): readonly JsonChange[] => {
    const now = after[type]
    return now ? jsonSchemaChanges({ before: schema, after: now.schema, at }, comparison) : [{ at, what: `it has no ${type} any more` }]
  })
}
