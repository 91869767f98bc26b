import { z } from 'zod'
import { sectionNames } from '../../ports/configuration/configuration.ts'
import { isDocument } from './document-values.ts'
import type { SectionSchemas } from './section-schemas.ts'

/**
 * Throws if a schema marks a secret inside a list or a map, because masking and sealing do not find secrets there. Protects against the
 * settings of a provider.
 */
export function assertSecretsCanBeFound(schemas: SectionSchemas): void {
  for (const section of sectionNames) {
    if (hasHiddenSecret(z.toJSONSchema(schemas[section], { io: 'input' }), false)) {
      throw new Error(`The ${section} section marks a secret inside a list or a map: give it a field of its own`)
    }
  }
}

const manyValued = new Set(['items', 'prefixItems', 'additionalProperties', 'patternProperties'])

function hasHiddenSecret(schema: unknown, isInside: boolean): boolean {
  if (Array.isArray(schema)) return schema.some((part) => hasHiddenSecret(part, isInside))
  if (!isDocument(schema)) return false
  if (isInside && schema['secret'] === true) return true
  return Object.entries(schema).some(([key, part]) => hasHiddenSecret(part, isInside || manyValued.has(key)))
}
