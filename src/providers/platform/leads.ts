import type { NewLeads } from '../../ports/lead-notes.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { LeadRecord, LeadRecords, MatchedLead } from '../../ports/call-records.ts'
import { isUuid } from '../../kernel/ids.ts'
import type { CountryCode } from '../../kernel/phone.ts'
import { leadRecord } from '../../ports/records/lead.ts'
import { phonePattern, phonesOf } from './field-values.ts'
import { type Condition, type Filter, withId } from './filter.ts'
import { readRecord } from './read-record.ts'
import type { RecordObject, Row } from './record-object.ts'
import type { Records } from './records.ts'

const mostMatches = 10
/** More than are returned, because the filter finds more than the comparison. */
const mostCandidates = 40
/** The platform's longest page. */
const mostAtOnce = 200

/**
 * Leads by phone. A lead matches if one of its numbers, read with its own calling code or else the workspace's default country, is the
 * same E.164 number. Extensions, spaces and punctuation do not count, and a number may be stored split (`+91` and `9876543210`) or
 * whole. The platform's filter finds the national digits in their order; the exact comparison is made here.
 */
export function createLeadRecords(records: Records, configuration: Configuration): LeadRecords {
  const countryOf = async (workspaceId: string): Promise<CountryCode> => (await configuration.read(workspaceId, 'telephony')).defaultCountry
  return {
    async byPhone(access, phoneNumber) {
      const rows = await records.list(access, 'lead', {
        filter: (lead) => phoneFilter(lead, phoneNumber),
        newestBy: 'updatedAt',
        first: mostCandidates,
      })
      const country = await countryOf(access.workspaceId)
      const matched = rows.flatMap((row) => match(row, phoneNumber, country))
      const [primary, additional] = [matched.filter(isPrimary), matched.filter((lead) => !isPrimary(lead))]
      return [...primary, ...additional].slice(0, mostMatches)
    },
    async wasDeleted(access, phoneNumber) {
      const rows = await records.list(access, 'lead', {
        filter: (lead) => {
          const filter = phoneFilter(lead, phoneNumber)
          return filter && { and: [filter, { deletedAt: { is: 'NOT_NULL' } }] }
        },
        first: mostCandidates,
      })
      const country = await countryOf(access.workspaceId)
      return rows.some((row) => match(row, phoneNumber, country).length > 0)
    },
    async byPhones(access, phoneNumbers) {
      if (phoneNumbers.length === 0) return new Map()
      const rows = await records.list(access, 'lead', {
        filter: (lead) => anyPhoneFilter(lead, phoneNumbers),
        newestBy: 'updatedAt',
        first: mostAtOnce,
      })
      const country = await countryOf(access.workspaceId)
      return new Map(
        phoneNumbers.flatMap((phoneNumber) => {
          const [only, ...others] = rows.flatMap((row) => match(row, phoneNumber, country))
          return only && others.length === 0 ? [[phoneNumber, only] as const] : []
        }),
      )
    },
    async byIds(access, leadIds) {
      const ids = [...new Set(leadIds)].filter(isUuid).slice(0, mostAtOnce)
      if (ids.length === 0) return []
      const rows = await records.list(access, 'lead', { filter: () => ({ id: { in: ids } }), first: mostAtOnce })
      const country = await countryOf(access.workspaceId)
      return rows.map((row) => leadOf(row, country))
    },
    async byId(access, leadId) {
      const [row] = await records.list(access, 'lead', { filter: () => withId(leadId), first: 1 })
      return row ? leadOf(row, await countryOf(access.workspaceId)) : null
    },
  }
}

type LeadRow = Row<'lead'>

/** Null if the workspace has no field for numbers. */
function phoneFilter(lead: RecordObject<'lead'>, phoneNumber: string): Filter | null {
  const column = lead.column('phones')
  if (column === null) return null
  const pattern = phonePattern(phoneNumber)
  if (!lead.isComposite('phones')) return { [column]: { ilike: pattern } }
  const within = (part: string, filter: Condition) => ({ [column]: { [part]: filter } })
  return {
    or: [within('primaryPhoneNumber', { ilike: pattern }), within('additionalPhones', { like: pattern })],
  }
}

function anyPhoneFilter(lead: RecordObject<'lead'>, phoneNumbers: readonly string[]): Filter | null {
  const filters = phoneNumbers.map((phoneNumber) => phoneFilter(lead, phoneNumber)).filter((filter) => filter !== null)
  return filters.length === 0 ? null : { or: filters }
}

function match(row: LeadRow, phoneNumber: string, country: CountryCode): MatchedLead[] {
  const same = phonesOf(row.phones, country).filter(({ number }) => number === phoneNumber)
  if (same.length === 0) return []
  return [{ ...leadOf(row, country), matchedBy: same.some(({ primary }) => primary) ? 'PRIMARY_PHONE' : 'ADDITIONAL_PHONE' }]
}

function isPrimary({ matchedBy }: MatchedLead): boolean {
  return matchedBy === 'PRIMARY_PHONE'
}

function leadOf(row: LeadRow, country: CountryCode): LeadRecord {
  const { phones, aiSummary, aiSuggestedAction, aiInsightAt, ...lead } = readRecord(leadRecord, row, { country })
  return {
    ...lead,
    phoneNumber: phones[0]?.number ?? null,
    insight: row.aiSummary === undefined ? null : { summary: aiSummary, suggestedAction: aiSuggestedAction, writtenAt: aiInsightAt },
  }
}

/** The creator of a lead chooses its id, so that a repetition creates no second one. */
export function createNewLeads(records: Records): NewLeads {
  return {
    create: (access, { id, phoneNumber, ...values }) =>
      records.create(access, 'lead', { id, values: { ...values, phones: phoneNumber, status: 'NEW' } }),
    withdraw: (access, leadId) => records.delete(access, 'lead', leadId),
  }
}
