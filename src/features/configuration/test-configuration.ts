import type { Caller } from '../../access/request-context.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import type { Acceptance } from './validation.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { Documents } from './documents.ts'
import { mergeDocument } from './merge-document.ts'
import type { SectionSchemas } from './section-schemas.ts'
import type { Check, Trials } from './connection-test.ts'
import type { TrialRecords } from './connection-test-results.ts'

export type TryRequest = {
  readonly section: SectionName
  /** Put over what is stored, as by saving; null: what is stored is tried. */
  readonly document: unknown
  readonly signal: AbortSignal
}

export type TriedConfiguration = {
  readonly section: SectionName
  readonly ok: boolean
  readonly testedAt: string
  readonly checks: readonly Check[]
}

/**
 * Tries a section for real; how it did is kept with the values that were tried. Errors: INVALID_INPUT (the document is not valid),
 * NOT_CONFIGURED (the stored one cannot be read), STORE_UNAVAILABLE.
 */
export type TryConfiguration = (caller: Caller, request: TryRequest) => Promise<TriedConfiguration>

export type TryConfigurationOptions = {
  readonly documents: Documents
  readonly schemas: SectionSchemas
  readonly accept: Acceptance
  readonly trials: Trials
  readonly records: TrialRecords
  readonly clock: Clock
}

export function createTryConfiguration(options: TryConfigurationOptions): TryConfiguration {
  const { documents, schemas, accept, trials, records, clock } = options

  const tryOne = async <Name extends SectionName>(section: Name, caller: Caller, request: TryRequest): Promise<TriedConfiguration> => {
    const { workspaceId } = caller.principal
    const target = { workspaceId, section }
    const { values: stored } = await documents.load(target)
    const values = request.document === null ? stored : mergeDocument(schemas[section], stored, request.document)
    await accept(target, values, stored)
    const checks = await trials[section](values, { workspaceId, accessToken: caller.accessToken, signal: request.signal })
    const outcome = { ok: checks.every(({ ok }) => ok), at: isoMoment(clock.now()) }
    await records.keep(target, values, outcome)
    return { section, ok: outcome.ok, testedAt: outcome.at, checks }
  }

  return (caller, request) => tryOne(request.section, caller, request)
}
