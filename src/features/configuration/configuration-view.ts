import { type Principal, hasRole } from '../../access/principal.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import { type DocumentValues, documentOf, valueAt } from './document-values.ts'
import type { Target } from './document-codec.ts'
import type { Standing } from './documents.ts'
import type { Fingerprint } from './fingerprint.ts'
import { maskSecrets } from './merge-document.ts'
import { fieldsOf } from './section-fields.ts'
import type { SectionSchemas } from './section-schemas.ts'

/**
 * A section as it leaves: its fields at the top level, secrets masked, and `_meta`: `version`, `changedAt`, and for managers `changedBy`
 * (`{ memberId, name }`, null: the service itself) and `secrets` (the fingerprint of each secret that is set, by dotted path).
 */
export type ConfigurationView = <Name extends SectionName>(
  target: Target<Name>,
  standing: Standing<Name>,
  reader: Principal,
) => DocumentValues

export type ConfigurationViewOptions = { readonly schemas: SectionSchemas; readonly fingerprint: Fingerprint }

export function createConfigurationView({ schemas, fingerprint }: ConfigurationViewOptions): ConfigurationView {
  return (target, { values, history: [last] }, reader) => {
    const schema = schemas[target.section]
    const secrets = fieldsOf(schema, values).flatMap(({ path, secret }): [string, string][] => {
      const text = valueAt(values, path)
      return secret && typeof text === 'string' ? [[path.join('.'), fingerprint(text, { ...target, path })]] : []
    })
    const facts = { version: last.version, changedAt: last.changedAt }
    const forManagers = { changedBy: last.changedBy, secrets: Object.fromEntries(secrets) }
    const masked = documentOf(maskSecrets(schema, values))
    return { ...masked, _meta: hasRole(reader.role, 'MANAGER') ? { ...facts, ...forManagers } : facts }
  }
}
