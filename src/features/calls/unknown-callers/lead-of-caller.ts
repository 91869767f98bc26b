import { derivedId } from '../../../kernel/ids.ts'
import { readablePhone, toE164 } from '../../../kernel/phone.ts'
import type { TelephonySection } from '../../../ports/configuration/telephony.ts'
import type { Ports } from '../../../ports/ports.ts'
import { asService, type ServiceAccess } from '../../../ports/record-access.ts'
import { reserveNewLead } from './hourly-limit.ts'

export type LeadOfCallerPorts = Pick<Ports, 'agentDirectory' | 'clock' | 'configuration' | 'leadRecords' | 'log' | 'newLeads' | 'store'>
/** `phoneNumber`: E.164. `did`: the number that was called. */
export type Caller = { readonly phoneNumber: string; readonly did: string | null }

/**
 * The id of the lead with the caller's number, created if there is none. Null if several leads have it, if it is a
 * number of the workspace itself, if somebody deleted its lead, and after the hour's limit. The id of a new lead
 * follows from the number, so that concurrent calls create one lead. Errors: the platform's, NOT_CONFIGURED without an
 * API key, STORE_UNAVAILABLE.
 */
export async function leadOfCaller(ports: LeadOfCallerPorts, workspaceId: string, caller: Caller): Promise<string | null> {
  const { leadRecords } = ports
  const { phoneNumber } = caller
  // Like the widget, it leaves requests for call records: unwanted calls must not delay those.
  const access = asService(workspaceId, 'WIDGET')
  const telephony = await ports.configuration.read(workspaceId, 'telephony')
  if (!telephony.newLeads.enabled || (await isOwnNumber(ports, access, { caller, telephony }))) return null
  const known = await leadRecords.byPhone(access, phoneNumber)
  if (known.length > 0) return onlyOne(known)
  const reserved = await reserveNewLead(ports, workspaceId)
  if (!reserved) return null
  let isCreated = false
  try {
    if (await leadRecords.wasDeleted(access, phoneNumber)) return null
    isCreated = await createLead(ports, access, { phoneNumber, source: telephony.newLeads.source })
  } finally {
    if (!isCreated) await reserved.release()
  }
  const leadId = await settledLead(ports, access, { phoneNumber, isCreated })
  // Ours was withdrawn.
  if (isCreated && leadId !== idOf(access, phoneNumber)) await reserved.release()
  return leadId
}

type NewCaller = { readonly phoneNumber: string; readonly source: string }

async function createLead({ newLeads }: LeadOfCallerPorts, access: ServiceAccess, caller: NewCaller): Promise<boolean> {
  const { phoneNumber, source } = caller
  const id = idOf(access, phoneNumber)
  return (await newLeads.create(access, { id, name: `Unknown caller ${readablePhone(phoneNumber)}`, phoneNumber, source })).created
}

type Settling = { readonly phoneNumber: string; readonly isCreated: boolean }

/** An agent may have created a lead by hand in the same moment: theirs stays. */
async function settledLead(
  { leadRecords, newLeads }: LeadOfCallerPorts,
  access: ServiceAccess,
  { phoneNumber, isCreated }: Settling,
): Promise<string | null> {
  const id = idOf(access, phoneNumber)
  const others = (await leadRecords.byPhone(access, phoneNumber)).filter((lead) => lead.id !== id)
  if (others.length > 0) {
    if (isCreated) await newLeads.withdraw(access, id)
    return onlyOne(others)
  }
  return isCreated ? id : ((await leadRecords.byId(access, id))?.id ?? null)
}

type OwnNumbers = { readonly caller: Caller; readonly telephony: TelephonySection }

/** A number that people call, an agent's phone, or one in the settings of a provider, such as its caller id. */
async function isOwnNumber(
  { agentDirectory }: Pick<Ports, 'agentDirectory'>,
  access: ServiceAccess,
  { caller: { phoneNumber, did }, telephony }: OwnNumbers,
): Promise<boolean> {
  const agents = await agentDirectory.all(access)
  const own = [
    did,
    telephony.did,
    ...agents.map(({ sipExtension }) => sipExtension),
    ...[telephony.provider, telephony.outbound].flatMap((settings) => Object.values(settings ?? {})),
  ]
  return own.some((text) => typeof text === 'string' && toE164(text, telephony.defaultCountry) === phoneNumber)
}

function onlyOne(leads: readonly { readonly id: string }[]): string | null {
  return leads.length === 1 ? (leads[0]?.id ?? null) : null
}

function idOf({ workspaceId }: ServiceAccess, phoneNumber: string): string {
  return derivedId('caller-lead', workspaceId, phoneNumber)
}
