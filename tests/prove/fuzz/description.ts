import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { z } from 'zod'

const contentSchema = z.record(z.string(), z.object({ schema: z.unknown() }))
const operationSchema = z.looseObject({
  operationId: z.string(),
  description: z.string(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean(), schema: z.unknown() })).default([]),
  requestBody: z.object({ required: z.boolean(), content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }) }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: contentSchema.optional() })),
})
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

/** One operation of `/openapi.json`. */
export type Operation = z.output<typeof operationSchema> & { readonly method: string; readonly path: string }
export type Answer = { readonly status: number; readonly contentType: string; readonly text: string }

export type Description = {
  readonly operations: readonly Operation[]
  readonly components: Readonly<Record<string, unknown>>
  /** Why the answer is not one that the description states; null if it is. */
  complaint(operation: Operation, answer: Answer): string | null
}

export function readDescription(json: unknown): Description {
  const { paths, components } = documentSchema.parse(json)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false })
  ajv.addSchema({ $id: 'document', components })
  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (key: string, schema: unknown): ValidateFunction => {
    const known = validators.get(key)
    if (known) return known
    const text = JSON.stringify(schema ?? {}).replaceAll('"#/components/', '"document#/components/')
    const made = ajv.compile(z.record(z.string(), z.unknown()).parse(JSON.parse(text)))
    validators.set(key, made)
    return made
  }
  return {
    operations,
    components: components.schemas,
    complaint(operation, { status, contentType, text }) {
      // Node refuses headers that are too long before any operation is chosen.
      if (status === 431) return null
      if (status >= 500) return `${status}: ${text.slice(0, 300)}`
      const stated = operation.responses[status]
      if (!stated) return `the status ${status} is not stated: ${text.slice(0, 300)}`
      const type = contentType.split(';')[0]?.trim() ?? ''
      const content = stated.content?.[type] ?? (type.startsWith('audio/') ? stated.content?.['audio/*'] : undefined)
      if (!content) return stated.content === undefined && text === '' ? null : `${status} with the type ${type || 'none'} is not stated`
      if (!type.endsWith('json')) return null
      const value: unknown = JSON.parse(text)
      const isValid = validatorOf(`${operation.operationId} ${status} ${type}`, content.schema)
      if (!isValid(value)) return `${status}: ${ajv.errorsText(isValid.errors)}: ${text.slice(0, 300)}`
      const { reason } = z.looseObject({ reason: z.string().optional() }).catch({}).parse(value)
      if (status >= 400 && reason !== undefined && !stated.description.includes(`\`${reason}\``)) return `${status} ${reason} is not stated`
      return null
    },
  }
}
