import type { PlatformObjects } from '../../ports/configuration/configuration.ts'
import type { PlatformSection } from '../../ports/configuration/platform.ts'

/** A field that the service needs on the platform. `types`: the platform's types that fit; a missing field is created with the first one. */
export type RequiredField = {
  readonly name: string
  readonly types: readonly string[]
  readonly isUnique: boolean
  /** The allowed values of a choice; empty for others. */
  readonly options: readonly string[]
  /** The object (singular) that a relation points to, or null. */
  readonly target: string | null
}

export type RequiredObject = {
  readonly singular: string
  readonly plural: string
  readonly icon: string
  readonly fields: readonly RequiredField[]
}

export type RequiredRole = { readonly label: string; readonly kind: 'MANAGER' | 'USER' }
export type RequiredModel = { readonly objects: readonly RequiredObject[]; readonly roles: readonly RequiredRole[] }

type Kind = Omit<RequiredField, 'name'>
const plain = { isUnique: false, options: [], target: null }
const text: Kind = { ...plain, types: ['TEXT'] }
const moment: Kind = { ...plain, types: ['DATE_TIME'] }
const number: Kind = { ...plain, types: ['NUMBER', 'NUMERIC'] }
const either = (...types: readonly string[]): Kind => ({ ...plain, types })
const choice = (...options: readonly string[]): Kind => ({ ...plain, types: ['SELECT', 'TEXT'], options })
const relation = (target: string): Kind => ({ ...plain, types: ['RELATION'], target })

/**
 * What the service reads and writes on the platform, with the names of this workspace. It contains no passwords, because everybody who may
 * read agents would see them.
 */
export function requiredModel({ objects, roles }: Pick<PlatformSection, 'objects' | 'roles'>): RequiredModel {
  const { agent, lead, doctor } = objects
  return {
    objects: [
      objectOf(objects.agent, 'IconHeadset', {
        name: either('TEXT', 'FULL_NAME'),
        workspaceMember: relation('workspaceMember'),
        sipExtension: text,
        providerAgentId: text,
        campaignName: text,
      }),
      objectOf(objects.lead, 'IconTarget', {
        name: either('TEXT', 'FULL_NAME'),
        phones: either('PHONES'),
        emails: either('EMAILS'),
        status: choice('NEW', 'IN_PROGRESS', 'WON', 'LOST'),
        source: either('TEXT', 'SELECT'),
        agent: relation(agent.singular),
        aiSummary: text,
        aiSuggestedAction: either('TEXT', 'SELECT'),
        aiInsightAt: moment,
      }),
      objectOf(objects.call, 'IconPhone', {
        name: text,
        ucid: { ...text, isUnique: true },
        direction: choice('INBOUND', 'OUTBOUND'),
        status: choice('RINGING', 'ANSWERED', 'COMPLETED', 'MISSED'),
        startedAt: moment,
        answeredAt: moment,
        endedAt: moment,
        durationSeconds: number,
        phone: either('TEXT', 'PHONES'),
        did: text,
        campaignName: text,
        disposition: either('TEXT', 'SELECT'),
        notes: text,
        recording: either('LINKS', 'TEXT'),
        agent: relation(agent.singular),
        lead: relation(lead.singular),
      }),
      objectOf(objects.doctor, 'IconStethoscope', {
        name: either('TEXT', 'FULL_NAME'),
        speciality: either('TEXT', 'SELECT'),
        clinic: either('TEXT', 'SELECT', 'RELATION'),
        languages: either('ARRAY', 'MULTI_SELECT', 'TEXT'),
        fee: either('NUMBER', 'NUMERIC', 'CURRENCY'),
        active: either('BOOLEAN'),
      }),
      objectOf(objects.visitSlot, 'IconCalendar', {
        name: text,
        doctor: relation(doctor.singular),
        startsAt: moment,
        endsAt: moment,
        state: choice('FREE', 'HELD', 'BOOKED'),
        lead: relation(lead.singular),
      }),
    ],
    roles: [
      { label: roles.manager, kind: 'MANAGER' },
      { label: roles.user, kind: 'USER' },
    ],
  }
}

type Named = PlatformObjects[keyof PlatformObjects]

function objectOf<Names extends Named>(
  { singular, plural, fields }: Names,
  icon: string,
  kinds: { readonly [Field in keyof Names['fields']]?: Kind },
): RequiredObject {
  const named: Readonly<Record<string, string>> = fields
  const required = Object.entries<Kind | undefined>(kinds).flatMap(([field, kind]) => {
    const name = named[field]
    return kind && name !== undefined ? [{ name, ...kind }] : []
  })
  return { singular, plural, icon, fields: required }
}
