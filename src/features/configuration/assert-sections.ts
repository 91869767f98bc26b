import { z } from 'zod'
import { sectionNames } from '../../ports/configuration/configuration.ts'
import { isDocument } from './document-values.ts'
import type { SectionSchemas } from './section-schemas.ts'

/**
 * Throws where a secret is marked inside a list or a map: there it would be found by nobody who masks or seals. A provider's settings must
 * not bring one in unseen.
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
