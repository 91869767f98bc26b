import type { Caller } from '../auth/request.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { invalidInput } from '../kernel/errors.ts'
import { toE164 } from '../kernel/phone.ts'
import { asPerson } from '../kernel/record-access.ts'
import type { CallRecords, LeadRecords, MatchedLead, PlatformCall } from './ports.ts'

export type LookupCallDeps = {
  readonly leads: LeadRecords
  readonly calls: CallRecords
  readonly configuration: Configuration
}

export type LookedUpCall = {
  /** E.164. */
  readonly phoneNumber: string
  /** At most 10; the lead is known where there is exactly one. */
  readonly candidates: readonly MatchedLead[]
  /** Of the lead, or else with the number; newest first. */
  readonly lastCalls: readonly PlatformCall[]
}

const lastCalls = 10

/** Who calls: the leads that have a number, and the last calls. The number may be written as people write it. Errors: INVALID_INPUT. */
export function createLookupCall({ leads, calls, configuration }: LookupCallDeps) {
  return async ({ principal, accessToken }: Caller, { phoneNumber: written }: { phoneNumber: string }): Promise<LookedUpCall> => {
    const { defaultCountry } = await configuration.read(principal.workspaceId, 'telephony')
    const phoneNumber = toE164(written, defaultCountry)
    if (phoneNumber === null) throw invalidInput('phoneNumber', 'is not a valid phone number')
    const access = asPerson(principal.workspaceId, accessToken)
    const [candidates, withNumber] = await Promise.all([
      leads.byPhone(access, phoneNumber),
      calls.withPhone(access, phoneNumber, lastCalls),
    ])
    const [only, ...others] = candidates
    const ofLead = only && others.length === 0 ? await calls.ofLead(access, only.id, lastCalls) : []
    return { phoneNumber, candidates, lastCalls: newest([...ofLead, ...withNumber]) }
  }
}

function newest(calls: readonly PlatformCall[]): readonly PlatformCall[] {
  const unique = [...new Map(calls.map((call) => [call.id, call])).values()]
  return unique.toSorted((one, other) => (other.startedAt ?? '').localeCompare(one.startedAt ?? '')).slice(0, lastCalls)
}
