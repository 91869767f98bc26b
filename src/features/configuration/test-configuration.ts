import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { ConfigurationPorts } from './configuration-ports.ts'
import type { Check } from './connection-test.ts'
import { storeTestResult } from './connection-test-results.ts'
import { mergeDocument } from './merge-document.ts'
import { validateSection } from './validate-section.ts'

export type TestRequest<Name extends SectionName> = {
  readonly section: Name
  /** Merged into the stored section as if it were saved; null tests the stored section. */
  readonly document: unknown
  readonly signal: AbortSignal
}

export type TestedConfiguration<Name extends SectionName> = {
  readonly section: Name
  readonly ok: boolean
  /** ISO 8601. */
  readonly testedAt: string
  readonly checks: readonly Check[]
}

/**
 * Runs the connection test of a section and stores its result for these values. Errors: INVALID_INPUT (the document is not valid),
 * NOT_CONFIGURED (the stored section cannot be read), STORE_UNAVAILABLE.
 */
export async function testConfiguration<Name extends SectionName>(
  ports: ConfigurationPorts,
  { principal: { workspaceId }, accessToken }: Actor,
  { section, document, signal }: TestRequest<Name>,
): Promise<TestedConfiguration<Name>> {
  const target = { workspaceId, section }
  const { values: stored } = await ports.sections.load(target)
  const values = document === null ? stored : mergeDocument(ports.schemas[section], stored, document)
  await validateSection(ports, target, { next: values, present: stored })
  const checks = await ports.connectionTests[section](values, { workspaceId, accessToken, signal })
  const result = { ok: checks.every(({ ok }) => ok), at: isoMoment(ports.clock.now()) }
  await storeTestResult(ports, { target, values }, result)
  return { section, ok: result.ok, testedAt: result.at, checks }
}
