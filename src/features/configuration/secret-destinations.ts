import { hashOf } from '../../kernel/ids.ts'
import type { Ports } from '../../ports/ports.ts'
import { valueAt } from './document-values.ts'
import { fieldsOf } from './section-fields.ts'
import type { SectionSchemas } from './section-schemas.ts'

/** Paths of configuration fields, such as `provider.account`, with hashes of their values. */
export type FieldHashes = Readonly<Record<string, string>>

/**
 * Where a workspace's agent passwords belong. `account`: the fields that name the account at the telephony provider, which also has the SIP
 * extensions. `provider`: the fields that decide where passwords for the provider are sent.
 */
export type SecretDestinations = {
  readonly account: FieldHashes
  readonly provider: FieldHashes
}

/** Errors: those of `Configuration.read`. */
export async function secretDestinations(
  { configuration, schemas }: Pick<Ports, 'configuration'> & { readonly schemas: SectionSchemas },
  workspaceId: string,
): Promise<SecretDestinations> {
  const section = await configuration.read(workspaceId, 'telephony')
  const fields = fieldsOf(schemas.telephony, section).filter(({ path, destination }) => destination && path[0] === 'provider')
  const hashes = (some: typeof fields): FieldHashes =>
    Object.fromEntries(some.map(({ path }) => [path.join('.'), hashOf(JSON.stringify(valueAt(section, path)))]))
  return { account: hashes(fields.filter(({ account }) => account)), provider: hashes(fields) }
}

/** The fields whose values differ, or that only one of the two has. */
export function changedPaths(before: FieldHashes, now: FieldHashes): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((path) => before[path] !== now[path])
}
