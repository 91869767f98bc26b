import type { Actor } from '../../access/actor.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { VisitSlot } from '../../ports/doctors.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { type CountryCode, toE164 } from '../../kernel/phone.ts'
import { asPerson, type PersonAccess } from '../../ports/record-access.ts'
import { factsOf, type KnownCall } from './call-facts.ts'
import type { RecentScreenPops } from './recent-screen-pops.ts'
import type { UpdateCall } from './update-call.ts'
import type { FindOwnCall } from './find-own-call.ts'
import type { CallRecords, LeadAgenda, LeadRecord, LeadRecords, MatchedLead, PlatformCall } from '../../ports/call-records.ts'
import type { ScheduledCallbacks } from './scheduled-callbacks.ts'

export type LookupCallDeps = {
  readonly leads: LeadRecords
  readonly calls: CallRecords
  readonly agenda: LeadAgenda
  readonly scheduledCallbacks: ScheduledCallbacks
  readonly screenPops: RecentScreenPops
  readonly note: UpdateCall
  readonly findOwnCall: FindOwnCall
  readonly configuration: Configuration
  readonly clock: Clock
}

/** Exactly one of the two; the number as people write it. */
export type CallQuestion = { readonly phoneNumber?: string | null | undefined; readonly ucid?: string | null | undefined }

export type LookedUpCall = {
  /** E.164; null where the caller withheld it. */
  readonly phoneNumber: string | null
  readonly call: KnownCall | null
  /** At most 10; the lead is known where there is exactly one. */
  readonly candidates: readonly MatchedLead[]
  readonly lead: LeadRecord | null
  /** Of the lead, or else with the number; newest first. */
  readonly lastCalls: readonly PlatformCall[]
  readonly openItems: readonly OpenItem[]
  readonly nextVisit: VisitSlot | null
  readonly unavailable: readonly UnavailablePart[]
}

export type OpenItem = { readonly kind: 'TASK' | 'CALL_BACK'; readonly title: string; readonly dueAt: string | null }
export type UnavailablePart = 'TASKS' | 'VISITS'
export type LookupCall = (caller: Actor, question: CallQuestion) => Promise<LookedUpCall>

const lastCalls = 10

/**
 * The screen pop: who calls, and what to know before saying hello. Two steps to the platform one after the other, each all at once.
 * Errors: INVALID_INPUT, NOT_FOUND (an unknown call), NOT_YOURS, the platform's.
 */
export function createLookupCall(deps: LookupCallDeps): LookupCall {
  return async (caller, question) => {
    const { workspaceId, memberId } = caller.principal
    const { defaultCountry } = await deps.configuration.read(workspaceId, 'telephony')
    const { call, phoneNumber } = await subjectOf(deps, caller, { question, defaultCountry })
    const access = asPerson(workspaceId, caller.accessToken)
    const [{ candidates, withNumber, lead }, scheduledCallbacks] = await Promise.all([
      identify(deps, access, { call, phoneNumber }),
      phoneNumber === null ? [] : deps.scheduledCallbacks.of(workspaceId, phoneNumber),
      deps.screenPops.note(workspaceId, memberId, { phoneNumber, ucid: call?.ucid ?? null }),
    ])
    const [about] = await Promise.all([aboutLead(deps, access, lead), noteLead(deps, { workspaceId, call, lead })])
    const callBacks = scheduledCallbacks.map(({ at }): OpenItem => ({ kind: 'CALL_BACK', title: 'Call back as promised', dueAt: at }))
    return {
      phoneNumber,
      call,
      candidates,
      lead,
      lastCalls: newest([...about.calls, ...withNumber]),
      openItems: [...callBacks, ...about.tasks].toSorted((one, other) => (one.dueAt ?? '~').localeCompare(other.dueAt ?? '~')),
      nextVisit: about.visit,
      unavailable: about.unavailable,
    }
  }
}

type Subject = { readonly call: KnownCall | null; readonly phoneNumber: string | null }
type Asked = { readonly question: CallQuestion; readonly defaultCountry: CountryCode }

async function subjectOf({ findOwnCall }: LookupCallDeps, caller: Actor, { question, defaultCountry }: Asked): Promise<Subject> {
  const { phoneNumber: written, ucid } = question
  const hasNumber = written !== null && written !== undefined
  const hasUcid = ucid !== null && ucid !== undefined
  if (hasNumber === hasUcid) throw invalidInput('phoneNumber', 'give either phoneNumber or ucid')
  if (hasUcid) {
    const call = await findOwnCall(caller, ucid)
    if (!call) throw new AppError('NOT_FOUND', { detail: 'There is no such call' })
    return { call, phoneNumber: call.phoneNumber }
  }
  const phoneNumber = toE164(written ?? '', defaultCountry)
  if (phoneNumber === null) throw invalidInput('phoneNumber', 'is not a valid phone number')
  return { call: null, phoneNumber }
}

type Identified = {
  readonly candidates: readonly MatchedLead[]
  readonly withNumber: readonly PlatformCall[]
  readonly lead: LeadRecord | null
}

/** By the number; the call's own lead, where it has one, is the lead whatever else has the number. */
async function identify({ leads, calls }: LookupCallDeps, access: PersonAccess, { call, phoneNumber }: Subject): Promise<Identified> {
  const ownLeadId = call?.leadId ?? null
  const [candidates, withNumber, own] = await Promise.all([
    phoneNumber === null ? [] : leads.byPhone(access, phoneNumber),
    phoneNumber === null ? [] : calls.withPhone(access, phoneNumber, lastCalls),
    ownLeadId === null ? null : leads.byId(access, ownLeadId),
  ])
  const [only, ...others] = candidates
  return { candidates, withNumber, lead: own ?? (only && others.length === 0 ? only : null) }
}

type Pop = { readonly workspaceId: string; readonly call: KnownCall | null; readonly lead: LeadRecord | null }

/** Who is found by the number of a call is its lead from now on. */
async function noteLead({ note, clock }: LookupCallDeps, { workspaceId, call, lead }: Pop): Promise<void> {
  if (!call || !lead || call.leadId !== null) return
  await note(workspaceId, call.ucid, factsOf({ leadId: lead.id }, { source: 'GUESSED', receivedAt: clock.now() }))
}

type AboutLead = {
  readonly calls: readonly PlatformCall[]
  readonly tasks: readonly OpenItem[]
  readonly visit: VisitSlot | null
  readonly unavailable: readonly UnavailablePart[]
}

async function aboutLead({ calls, agenda, clock }: LookupCallDeps, access: PersonAccess, lead: LeadRecord | null): Promise<AboutLead> {
  if (!lead) return { calls: [], tasks: [], visit: null, unavailable: [] }
  const unavailable: UnavailablePart[] = []
  const [ofLead, tasks, visit] = await Promise.all([
    calls.ofLead(access, lead.id, lastCalls),
    agenda.openTasks(access, lead.id).catch(() => void unavailable.push('TASKS')),
    agenda.nextVisit(access, lead.id, isoMoment(clock.now())).catch(() => void unavailable.push('VISITS')),
  ])
  return {
    calls: ofLead,
    tasks: (tasks ?? []).map(({ title, dueAt }) => ({ kind: 'TASK', title, dueAt })),
    visit: visit ?? null,
    unavailable,
  }
}

function newest(calls: readonly PlatformCall[]): readonly PlatformCall[] {
  const unique = [...new Map(calls.map((call) => [call.id, call])).values()]
  return unique.toSorted((one, other) => (other.startedAt ?? '').localeCompare(one.startedAt ?? '')).slice(0, lastCalls)
}
