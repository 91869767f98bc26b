import { z } from 'zod'
import { type SectionName, sectionNames } from '../../ports/configuration/configuration.ts'
import type { DocumentValues } from './document-values.ts'
import type { SectionSchemas } from './section-schemas.ts'

/**
 * The JSON Schema (draft 2020-12) of a section, for forms: titles, descriptions, defaults and bounds; `secret: true` marks what is only
 * ever shown masked, `destination: true` what decides where secrets are sent.
 */
export type SectionForm = (section: SectionName) => DocumentValues

export function createSectionForm(schemas: SectionSchemas): SectionForm {
  const forms = new Map(sectionNames.map((section) => [section, formOf(schemas[section])]))
  return (section) => forms.get(section) ?? {}
}

function formOf(schema: z.ZodType): DocumentValues {
  const { '~standard': _standard, ...form } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => markSecret(jsonSchema),
  })
  return form
}

function markSecret(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema['secret'] === true) schema.format = 'password'
}
