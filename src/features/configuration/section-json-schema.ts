import { z } from 'zod'
import type { DocumentValues } from './document-values.ts'

/**
 * The JSON Schema (draft 2020-12) of a section, for forms: titles, descriptions, defaults and limits. `secret: true` marks a field that is
 * only shown masked, `destination: true` a field that decides where secrets are sent.
 */
export function sectionJsonSchema(schema: z.ZodType): DocumentValues {
  const { '~standard': _standard, ...jsonSchema } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema: part }) => {
      if (part['secret'] === true) part.format = 'password'
    },
  })
  return jsonSchema
}
