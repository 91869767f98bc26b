import type { Actor } from '../../access/actor.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import type { Validation } from './validation.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { Documents } from './documents.ts'
import { mergeDocument } from './merge-document.ts'
import type { SectionSchemas } from './section-schemas.ts'
import type { Check, ConnectionTests } from './connection-test.ts'
import type { ConnectionTestResults } from './connection-test-results.ts'

export type TestRequest = {
  readonly section: SectionName
  /** Put over what is stored, as by saving; null: what is stored is tried. */
  readonly document: unknown
  readonly signal: AbortSignal
}

export type TestedConfiguration = {
  readonly section: SectionName
  readonly ok: boolean
  readonly testedAt: string
  readonly checks: readonly Check[]
}

/**
 * Tries a section for real; how it did is kept with the values that were tried. Errors: INVALID_INPUT (the document is not valid),
 * NOT_CONFIGURED (the stored one cannot be read), STORE_UNAVAILABLE.
 */
export type TestConfiguration = (caller: Actor, request: TestRequest) => Promise<TestedConfiguration>

export type TryConfigurationOptions = {
  readonly documents: Documents
  readonly schemas: SectionSchemas
  readonly accept: Validation
  readonly connectionTests: ConnectionTests
  readonly records: ConnectionTestResults
  readonly clock: Clock
}

export function createTestConfiguration(options: TryConfigurationOptions): TestConfiguration {
  const { documents, schemas, accept, connectionTests, records, clock } = options

  const tryOne = async <Name extends SectionName>(section: Name, caller: Actor, request: TestRequest): Promise<TestedConfiguration> => {
    const { workspaceId } = caller.principal
    const target = { workspaceId, section }
    const { values: stored } = await documents.load(target)
    const values = request.document === null ? stored : mergeDocument(schemas[section], stored, request.document)
    await accept(target, values, stored)
    const checks = await connectionTests[section](values, { workspaceId, accessToken: caller.accessToken, signal: request.signal })
    const outcome = { ok: checks.every(({ ok }) => ok), at: isoMoment(clock.now()) }
    await records.keep(target, values, outcome)
    return { section, ok: outcome.ok, testedAt: outcome.at, checks }
  }

  return (caller, request) => tryOne(request.section, caller, request)
}
