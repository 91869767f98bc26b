import type { Actor } from '../../../access/actor.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { AppError, invalidInput } from '../../../kernel/errors.ts'
import { notAPhoneNumber, toE164 } from '../../../kernel/phone.ts'
import { TookTooLong, withDeadline } from '../../../kernel/with-fallback.ts'
import { byDueDate, type LeadRecord, type LeadTask, type MatchedLead, type PlatformCall } from '../../../ports/call-records.ts'
import { asPerson, type PersonAccess } from '../../../ports/record-access.ts'
import type { VisitSlot } from '../../../ports/doctors.ts'
import { factsOf, type KnownCall } from '../state/call-facts.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { findOwnCall, type OwnCall } from '../state/find-own-call.ts'
import { writeScreenPop } from './recent-screen-pops.ts'
import { numberToCall } from '../state/number-to-call.ts'
import { updateCall } from '../state/update-call.ts'
import { callersDigits } from '../worklist-entries/callers-digits.ts'
import type { WorklistCallback } from '../worklist-entries/entry.ts'
import { entryIdOf, isOpen, readEntry } from '../worklist-entries/entry-store.ts'
import { refreshTasks, type RefreshTasksPorts } from '../worklist/refresh-tasks.ts'
import { taskIdOf } from '../worklist-entries/task-queue.ts'

export type LookUpPorts = RefreshTasksPorts &
  Pick<CallPorts, 'agentRecordCache' | 'callRecords' | 'configuration' | 'leadAgenda' | 'leadRecords'>

/** Exactly one of the two. The number may be in any form that people write. */
export type CallQuestion = { readonly phoneNumber?: string | null | undefined; readonly ucid?: string | null | undefined }

export type LookedUpCall = {
  /** E.164; null if it cannot be that, or the caller withheld it. */
  readonly phoneNumber: string | null
  /** As the provider reports it, or the digits that were looked up if they are no E.164 number; null if the caller withheld it. */
  readonly dialledNumber: string | null
  readonly call: KnownCall | null
  /** The leads with this number, at most 10. */
  readonly candidates: readonly MatchedLead[]
  /** The call's own lead, else the only candidate; null if there are none or several. */
  readonly lead: LeadRecord | null
  /** The lead's, and those with the number; newest first. Without the call itself while it goes on: its record may be there already. */
  readonly lastCalls: readonly PlatformCall[]
  readonly openItems: readonly OpenItem[]
  readonly nextVisit: VisitSlot | null
  /** The parts that the platform could not give, or that the member's role may not read. */
  readonly unavailable: readonly UnavailablePart[]
}

/** `id`: of the platform's task. */
export type OpenItem = LeadTask & { readonly kind: 'TASK' | 'CALL_BACK' }
export type UnavailablePart = 'LEADS' | 'CALLS' | 'TASKS' | 'VISITS' | 'PLATFORM'

const maxCalls = 10
/** For what the platform has. The caller hears it ring: late, it is worth nothing. */
const patienceMs = 3_000

/**
 * The screen pop: who calls, and what to know before answering. Makes two rounds of concurrent requests to the platform; none while it is away, when
 * the call itself is worth showing. Errors: INVALID_INPUT, NOT_FOUND (an unknown call), NOT_YOURS, the platform's.
 */
export async function lookUpCall(ports: LookUpPorts, actor: Actor, question: CallQuestion): Promise<LookedUpCall> {
  const { workspaceId } = actor.principal
  const subject = await subjectOf(ports, actor, question)
  const { call, phoneNumber, dialledNumber } = subject
  const number = numberToCall(subject)
  const [{ candidates, lead, ...about }, callbacks] = await Promise.all([
    readFromPlatform(ports, actor, subject),
    number === null ? [] : currentCallbacks(ports, actor, number),
    writeScreenPop(ports, actor.principal, { phoneNumber: number, ucid: call?.ucid ?? null }),
  ])
  await rememberLead(ports, workspaceId, { call, lead })
  const callbackItems = callbacks.map(({ ucid, at }): OpenItem => ({
    id: taskIdOf({ workspaceId, ucid }),
    kind: 'CALL_BACK',
    title: 'Call back as agreed',
    dueAt: at,
  }))
  const callbackTasks = new Set(callbackItems.map(({ id }) => id))
  const otherTasks = about.tasks.filter(({ id }) => !callbackTasks.has(id))
  return {
    phoneNumber,
    dialledNumber,
    call,
    candidates,
    lead,
    lastCalls: newest(about.calls.filter(({ ucid }) => !isOn(call) || ucid !== call.ucid)),
    openItems: [...callbackItems, ...otherTasks.map((task): OpenItem => ({ kind: 'TASK', ...task }))].toSorted(byDueDate),
    nextVisit: about.visit,
    unavailable: about.unavailable,
  }
}

/** As their tasks on the platform are now. */
async function currentCallbacks(ports: LookUpPorts, actor: Actor, phoneNumber: string): Promise<readonly WorklistCallback[]> {
  const { workspaceId } = actor.principal
  const entry = await readEntry(ports, { workspaceId, id: entryIdOf(workspaceId, phoneNumber) })
  if (!entry || !isOpen(entry)) return []
  const [current] = await refreshTasks(ports, actor, [entry])
  return current && isOpen(current) ? current.callbacks : []
}

type Subject = Pick<LookedUpCall, 'phoneNumber' | 'dialledNumber'> & { readonly call: OwnCall | null }

async function subjectOf(ports: LookUpPorts, actor: Actor, { phoneNumber: written, ucid }: CallQuestion): Promise<Subject> {
  const { defaultCountry } = await ports.configuration.read(actor.principal.workspaceId, 'telephony')
  const hasNumber = written !== null && written !== undefined
  const hasUcid = ucid !== null && ucid !== undefined
  if (hasNumber === hasUcid) throw invalidInput('phoneNumber', 'give either phoneNumber or ucid')
  if (hasUcid) {
    const call = await findOwnCall(ports, actor, ucid)
    if (!call) throw new AppError('NOT_FOUND', { detail: 'There is no such call' })
    return { call, phoneNumber: call.phoneNumber, dialledNumber: call.dialledNumber }
  }
  const phoneNumber = toE164(written ?? '', defaultCountry)
  const dialledNumber = phoneNumber === null ? await callersDigits(ports, actor.principal.workspaceId, written ?? '') : null
  if (phoneNumber === null && dialledNumber === null) throw invalidInput('phoneNumber', notAPhoneNumber)
  return { call: null, phoneNumber, dialledNumber }
}

type FromPlatform = AboutLead & Pick<LookedUpCall, 'candidates' | 'lead' | 'unavailable'>
const nothing: FromPlatform = { candidates: [], lead: null, calls: [], tasks: [], visit: null, unavailable: ['PLATFORM'] }

async function readFromPlatform(ports: LookUpPorts, actor: Actor, subject: Subject): Promise<FromPlatform> {
  if (actor.principal.isLastKnown === true) return nothing
  try {
    return await withDeadline(readNow(ports, asPerson(actor.principal.workspaceId, actor.accessToken), subject), patienceMs)
  } catch (error) {
    if (isSilent(error)) return nothing
    throw error
  }
}

/** What the platform refuses or garbles would be the same later: the agent should see why. */
function isSilent(error: unknown): boolean {
  if (error instanceof TookTooLong) return true
  return error instanceof AppError && (error.reason === 'PROVIDER_UNAVAILABLE' || error.reason === 'DEADLINE_PASSED')
}

async function readNow(ports: LookUpPorts, access: PersonAccess, subject: Subject): Promise<FromPlatform> {
  const unavailable = new Set<UnavailablePart>()
  const { candidates, withNumber, lead } = await identify(ports, access, { ...subject, unavailable })
  const about = await readAboutLead(ports, access, { lead, unavailable })
  return { ...about, candidates, lead, calls: [...about.calls, ...withNumber], unavailable: [...unavailable] }
}

/** The parts that could not be read. */
type Unread = { readonly unavailable: Set<UnavailablePart> }

/** The member's role may not read leads: the rest is worth showing. A token that is no longer valid is still an error. */
function noteRefused(unavailable: Set<UnavailablePart>): (error: unknown) => null {
  return (error) => {
    if (!(error instanceof AppError && error.reason === 'PLATFORM_REFUSED')) throw error
    unavailable.add('LEADS')
    return null
  }
}

type Identified = {
  readonly candidates: readonly MatchedLead[]
  readonly withNumber: readonly PlatformCall[]
  readonly lead: LeadRecord | null
}

/** Finds the lead by the number. A lead that is already known for the call takes precedence. */
async function identify(
  { leadRecords, callRecords }: LookUpPorts,
  access: PersonAccess,
  { call, phoneNumber, dialledNumber, unavailable }: Subject & Unread,
): Promise<Identified> {
  const number = numberToCall({ phoneNumber, dialledNumber })
  const ownLeadId = call?.leadId ?? null
  const [candidates, withNumber, own] = await Promise.all([
    phoneNumber === null ? [] : leadRecords.byPhone(access, phoneNumber).catch(noteRefused(unavailable)),
    number === null ? [] : callRecords.withPhone(access, number, maxCalls).catch(() => void unavailable.add('CALLS')),
    ownLeadId === null ? null : leadRecords.byId(access, ownLeadId).catch(noteRefused(unavailable)),
  ])
  const [only, ...others] = candidates ?? []
  return { candidates: candidates ?? [], withNumber: withNumber ?? [], lead: own ?? (only && others.length === 0 ? only : null) }
}

type Found = { readonly call: OwnCall | null; readonly lead: LeadRecord | null }

/**
 * The lead that was found by the number of a call is stored as the call's lead. Not of a call that only the platform knows: stored with
 * nothing but a lead, it would be a new call that rings.
 */
async function rememberLead(ports: LookUpPorts, workspaceId: string, { call, lead }: Found): Promise<void> {
  if (!call || call.recorded !== null || !lead || call.leadId !== null) return
  const facts = factsOf({ leadId: lead.id }, { source: 'GUESSED', receivedAt: ports.clock.now() })
  await updateCall(ports, { workspaceId, ucid: call.ucid }, facts)
}

type AboutLead = {
  readonly calls: readonly PlatformCall[]
  readonly tasks: readonly LeadTask[]
  readonly visit: VisitSlot | null
}

async function readAboutLead(
  { callRecords, leadAgenda, clock }: LookUpPorts,
  access: PersonAccess,
  { lead, unavailable }: { readonly lead: LeadRecord | null } & Unread,
): Promise<AboutLead> {
  if (!lead) return { calls: [], tasks: [], visit: null }
  const [calls, tasks, visit] = await Promise.all([
    callRecords.ofLead(access, lead.id, maxCalls).catch(() => void unavailable.add('CALLS')),
    leadAgenda.openTasks(access, lead.id).catch(() => void unavailable.add('TASKS')),
    leadAgenda.nextVisit(access, lead.id, isoMoment(clock.now())).catch(() => void unavailable.add('VISITS')),
  ])
  return { calls: calls ?? [], tasks: tasks ?? [], visit: visit ?? null }
}

function isOn(call: OwnCall | null): call is OwnCall {
  return call?.phase === 'RINGING' || call?.phase === 'ANSWERED'
}

function newest(calls: readonly PlatformCall[]): readonly PlatformCall[] {
  const unique = [...new Map(calls.map((call) => [call.id, call])).values()]
  return unique.toSorted((one, other) => (other.startedAt ?? '').localeCompare(one.startedAt ?? '')).slice(0, maxCalls)
}
