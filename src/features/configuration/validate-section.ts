import type { FieldFault } from '../../kernel/errors.ts'
import type { SectionName, Sections } from '../../ports/configuration/configuration.ts'
import type { ConfigurationPorts } from './configuration-ports.ts'
import { valueAt } from './document-values.ts'
import { invalidDocument } from './merge-document.ts'
import type { Target } from './section-codec.ts'
import { fieldsOf } from './section-fields.ts'

export type ValidationPorts = Pick<ConfigurationPorts, 'schemas' | 'workspaces' | 'addressGuard'>

type Values<Name extends SectionName> = { readonly next: Sections[Name]; readonly present: Sections[Name] }

/**
 * Validates what a schema cannot: addresses and API keys. Only changed fields are validated, because the others were validated before or
 * come from the environment. Throws INVALID_INPUT, naming the fields.
 */
export async function validateSection<Name extends SectionName>(
  ports: ValidationPorts,
  target: Target<Name>,
  values: Values<Name>,
): Promise<void> {
  const errors = await addressErrors(ports, target.section, values)
  if (target.section === 'platform') errors.push(...(await apiKeyErrors(ports, target.workspaceId, values)))
  if (errors.length > 0) throw invalidDocument(errors)
}

async function addressErrors<Name extends SectionName>(
  { schemas, addressGuard }: ValidationPorts,
  section: Name,
  { next, present }: Values<Name>,
): Promise<FieldFault[]> {
  const changed = fieldsOf(schemas[section], next).filter(
    ({ path, destination }) => destination && isHttpAddress(valueAt(next, path)) && valueAt(next, path) !== valueAt(present, path),
  )
  const errors = await Promise.all(
    changed.map(async ({ path }): Promise<FieldFault[]> => {
      const message = await addressGuard.faultOf(String(valueAt(next, path)))
      return message === null ? [] : [{ path: path.join('.'), message }]
    }),
  )
  return errors.flat()
}

async function apiKeyErrors<Name extends SectionName>(
  { workspaces }: ValidationPorts,
  workspaceId: string,
  { next, present }: Values<Name>,
): Promise<FieldFault[]> {
  const key = valueAt(next, ['apiKey'])
  if (typeof key !== 'string' || key === valueAt(present, ['apiKey'])) return []
  const owner = await workspaces.ownerOfApiKey(key)
  if (owner === workspaceId) return []
  return [{ path: 'apiKey', message: owner === null ? 'is refused by the platform' : 'belongs to another workspace' }]
}

function isHttpAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value)
}
