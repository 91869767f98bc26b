import { hashOf } from '../../kernel/ids.ts'
import type { Ports } from '../../ports/ports.ts'
import { valueAt } from './document-values.ts'
import { fieldsOf } from './section-fields.ts'
import type { SectionSchemas } from './section-schemas.ts'

/**
 * Hashes of the places to which a workspace's agent passwords are sent: the telephony provider and the SIP server. A hash changes when its
 * place changes. Errors: those of `Configuration.read`.
 */
export async function secretDestinations(
  { configuration, schemas }: Pick<Ports, 'configuration'> & { readonly schemas: SectionSchemas },
  workspaceId: string,
): Promise<{ readonly provider: string; readonly sip: string }> {
  const section = await configuration.read(workspaceId, 'telephony')
  const places = fieldsOf(schemas.telephony, section)
    .filter(({ path, destination }) => destination && path[0] === 'provider')
    .map(({ path }) => [path.join('.'), valueAt(section, path)])
  return { provider: hashOf(JSON.stringify(places)), sip: hashOf(JSON.stringify(section.sip.domain)) }
}
