import type { FieldFault } from '../../kernel/errors.ts'
import type { SectionName, Sections } from '../../ports/configuration/configuration.ts'
import type { Target } from './document-codec.ts'
import { valueAt } from './document-values.ts'
import { faultyDocument } from './merge-document.ts'
import { fieldsOf } from './section-fields.ts'
import type { SectionSchemas } from './section-schemas.ts'
import type { SeedingOptions } from './seeding.ts'

/** Looks at a document that fits its schema before it is stored or tried. Throws INVALID_INPUT, naming the field. */
export type Validation = <Name extends SectionName>(target: Target<Name>, next: Sections[Name], present: Sections[Name]) => Promise<void>

export type ValidationOptions = {
  readonly schemas: SectionSchemas
  readonly ownerOfApiKey: SeedingOptions['ownerOfApiKey']
  /** Why the service must not send anything to this address, or null. */
  readonly faultOfAddress: (url: string) => Promise<string | null>
}

/** Only what changes is looked at: what stands was accepted before, or comes from the environment. */
export function createValidation({ schemas, ownerOfApiKey, faultOfAddress }: ValidationOptions): Validation {
  const faultyAddresses = async (section: SectionName, next: unknown, present: unknown): Promise<FieldFault[]> => {
    const changed = fieldsOf(schemas[section], next).filter(
      ({ path, destination }) => destination && isHttpAddress(valueAt(next, path)) && valueAt(next, path) !== valueAt(present, path),
    )
    const faults = await Promise.all(
      changed.map(async ({ path }): Promise<FieldFault[]> => {
        const fault = await faultOfAddress(String(valueAt(next, path)))
        return fault === null ? [] : [{ path: path.join('.'), message: fault }]
      }),
    )
    return faults.flat()
  }

  const faultyKey = async (workspaceId: string, next: unknown, present: unknown): Promise<FieldFault[]> => {
    const key = valueAt(next, ['apiKey'])
    if (typeof key !== 'string' || key === valueAt(present, ['apiKey'])) return []
    const owner = await ownerOfApiKey(key)
    if (owner === workspaceId) return []
    return [{ path: 'apiKey', message: owner === null ? 'is not taken by the platform' : 'belongs to another workspace' }]
  }

  return async ({ workspaceId, section }, next, present) => {
    const faults = await faultyAddresses(section, next, present)
    if (section === 'platform') faults.push(...(await faultyKey(workspaceId, next, present)))
    if (faults.length > 0) throw faultyDocument(faults)
  }
}

function isHttpAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value)
}
