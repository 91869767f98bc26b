import type { Dispatcher } from 'undici'
import type { AppError } from '../../kernel/errors.ts'
import type { AiSection } from '../../ports/configuration/ai.ts'
import type { SectionName, Sections } from '../../ports/configuration/configuration.ts'
import type { TelephonySection } from '../../ports/configuration/telephony.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Telephony } from '../../ports/telephony.ts'

/** One check of a connection test. */
export type Check = {
  /** Stable, for example `telephony.access`. */
  readonly name: string
  readonly ok: boolean
  /** The service cannot find it out: then `ok` is true, and `found` says what is not known. */
  readonly unchecked?: true
  /** What the check did, and what it found; sentences for the manager. */
  readonly tried: string
  readonly found: string
  /** What to do; null if there is nothing to do. */
  readonly advice: string | null
}

export type ConnectionTestScope = {
  readonly workspaceId: string
  /** The manager's own token. */
  readonly accessToken: string
  readonly signal: AbortSignal
}

/** Tests the values of each section and changes nothing. A failure is a check with `ok: false`; it throws only if nothing could be tested. */
export type ConnectionTests = {
  readonly [Name in SectionName]: (values: Sections[Name], scope: ConnectionTestScope) => Promise<readonly Check[]>
}

/** Providers for values that are not stored yet. They throw NOT_CONFIGURED if a provider, a model or a key is missing. */
export type ConnectionTestPorts = Pick<Ports, 'clock'> & {
  readonly telephonyFor: (section: TelephonySection) => Telephony
  readonly languageModelFor: (section: AiSection) => LanguageModel
  /** `allowed`: the only web sockets that the console's pages may open; null: any with a certificate. `dispatcher`: of the service's own requests. */
  readonly sipServers: { readonly allowed: readonly string[] | null; readonly dispatcher: Dispatcher }
}

/** What to do about an error that says nothing about the tested values; null if it may concern them. `who`: "The platform". */
export function adviceIfUntested({ reason, data }: AppError, who: string): string | null {
  const again = `try again in ${data?.retryAfterSeconds ?? 60} s`
  if (reason === 'OVERLOADED') return `Nothing is known of these values: ${again}`
  if (reason === 'PROVIDER_UNAVAILABLE' || reason === 'DEADLINE_PASSED')
    return `Nothing is known of these values: ${again}. If it stays so, check the address, the network and the status page of the other side`
  if (reason === 'PROVIDER_ANSWER_INVALID') return `Check the address: something else than ${who} may answer there, such as a proxy`
  return reason === 'STORE_UNAVAILABLE' ? "Nothing is known of these values: the service's own store is away; see /health" : null
}

/** For sections that need no connection: their values are valid, and there is nothing else to test. */
export async function testNoConnection(): Promise<readonly Check[]> {
  return [{ name: 'valid', ok: true, tried: 'Checked the section against its schema', found: 'It is valid', advice: null }]
}
