import { z } from 'zod'
import type { SectionName, Sections } from '../../ports/configuration/configuration.ts'
import type { Ports } from '../../ports/ports.ts'
import { Family } from '../../ports/stored/family.ts'
import { fingerprint } from './fingerprint.ts'
import type { Target } from './section-codec.ts'

const resultSchema = z.object({ ok: z.boolean(), at: z.iso.datetime(), digest: z.string() })

export const testResults = new Family({
  name: 'configuration:*:connectionTest',
  key: ({ workspaceId, section }: Target) => [workspaceId, section],
  schema: resultSchema,
  lifetime: 365 * 86_400_000,
  about: 'workspace',
  what: 'the result of the last connection test',
})

/** `at`: ISO 8601. */
export type ConnectionTestResult = { readonly ok: boolean; readonly at: string }

/** The tested values of a section. */
type Tested<Name extends SectionName> = { readonly target: Target<Name>; readonly values: Sections[Name] }

export type TestResultPorts = Pick<Ports, 'store'> & { readonly fingerprintKey: Uint8Array }

/** Stores the result of a connection test for exactly these values. Throws STORE_UNAVAILABLE. */
export async function storeTestResult<Name extends SectionName>(
  ports: TestResultPorts,
  tested: Tested<Name>,
  result: ConnectionTestResult,
): Promise<void> {
  await testResults.write(ports, tested.target, { value: { ...result, digest: digestOf(ports, tested) } })
}

/** The result of the last connection test; null if these values were not tested. Throws STORE_UNAVAILABLE. */
export async function lastTestResult<Name extends SectionName>(
  ports: TestResultPorts,
  tested: Tested<Name>,
): Promise<ConnectionTestResult | null> {
  const result = await testResults.read(ports, tested.target)
  return result?.digest === digestOf(ports, tested) ? { ok: result.ok, at: result.at } : null
}

function digestOf<Name extends SectionName>({ fingerprintKey }: TestResultPorts, { target, values }: Tested<Name>): string {
  return fingerprint(fingerprintKey, JSON.stringify(values), { ...target, path: [] })
}
