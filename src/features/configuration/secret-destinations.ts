import { hashOf } from '../../kernel/ids.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import { valueAt } from './document-values.ts'
import { fieldsOf } from './section-fields.ts'
import type { SectionSchemas } from './section-schemas.ts'

/** Where the passwords of a workspace's agents are sent now: to the telephony provider, and to the SIP server. Texts that differ where the places do. */
export function createSecretDestinations(configuration: Configuration, schemas: SectionSchemas) {
  return async (workspaceId: string): Promise<{ readonly provider: string; readonly sip: string }> => {
    const section = await configuration.read(workspaceId, 'telephony')
    const places = fieldsOf(schemas.telephony, section)
      .filter(({ path, destination }) => destination && path[0] === 'provider')
      .map(({ path }) => [path.join('.'), valueAt(section, path)])
    return { provider: hashOf(JSON.stringify(places)), sip: hashOf(JSON.stringify(section.sip.domain)) }
  }
}
