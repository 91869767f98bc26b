import { type Principal, hasRole } from '../../access/principal.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { ConfigurationPorts } from './configuration-ports.ts'
import { type DocumentValues, documentOf, valueAt } from './document-values.ts'
import { fingerprint } from './fingerprint.ts'
import { maskSecrets } from './merge-document.ts'
import type { Target } from './section-codec.ts'
import { fieldsOf } from './section-fields.ts'
import type { SectionState } from './section-store.ts'

/**
 * A section for clients: its fields at the top level, secrets masked, and `_meta` with `version` and `changedAt`. For managers `_meta` also
 * has `changedBy` (`{ memberId, name }`, null: the service itself) and `secrets` (the fingerprint of each set secret, by dotted path).
 */
export function sectionDocument<Name extends SectionName>(
  { schemas, fingerprintKey }: Pick<ConfigurationPorts, 'schemas' | 'fingerprintKey'>,
  target: Target<Name>,
  { state, reader }: { readonly state: SectionState<Name>; readonly reader: Principal },
): DocumentValues {
  const { values, history } = state
  const [last] = history
  const schema = schemas[target.section]
  const secrets = fieldsOf(schema, values).flatMap(({ path, secret }): [string, string][] => {
    const text = valueAt(values, path)
    return secret && typeof text === 'string' ? [[path.join('.'), fingerprint(fingerprintKey, text, { ...target, path })]] : []
  })
  const facts = { version: last.version, changedAt: last.changedAt }
  const forManagers = { changedBy: last.changedBy, secrets: Object.fromEntries(secrets) }
  const masked = documentOf(maskSecrets(schema, values))
  return { ...masked, _meta: hasRole(reader.role, 'MANAGER') ? { ...facts, ...forManagers } : facts }
}
