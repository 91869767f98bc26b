import { z } from 'zod'
import type { Store } from '../../ports/store.ts'
import type { SectionName, Sections } from '../../ports/configuration/configuration.ts'
import type { Target } from './document-codec.ts'
import type { Fingerprint } from './fingerprint.ts'

const recordSchema = z.object({ ok: z.boolean(), at: z.iso.datetime(), digest: z.string() })

export type ConnectionTestResult = { readonly ok: boolean; readonly at: string }

/** How a section did when it was last tried; forgotten as soon as its values are others. */
export interface ConnectionTestResults {
  keep<Name extends SectionName>(target: Target<Name>, values: Sections[Name], record: ConnectionTestResult): Promise<void>
  /** Null where these values were not tried. */
  last<Name extends SectionName>(target: Target<Name>, values: Sections[Name]): Promise<ConnectionTestResult | null>
}

export function createConnectionTestResults({
  store,
  fingerprint,
}: {
  readonly store: Store
  readonly fingerprint: Fingerprint
}): ConnectionTestResults {
  const keyOf = ({ workspaceId, section }: Target): string => `configuration:${workspaceId}:connectionTest:${section}`
  const digestOf = (target: Target, values: unknown): string => fingerprint(JSON.stringify(values), { ...target, path: [] })
  return {
    keep: (target, values, record) => store.set(keyOf(target), JSON.stringify({ ...record, digest: digestOf(target, values) })),
    async last(target, values) {
      const text = await store.get(keyOf(target))
      const record = text === null ? null : recordSchema.parse(JSON.parse(text))
      return record?.digest === digestOf(target, values) ? { ok: record.ok, at: record.at } : null
    },
  }
}
