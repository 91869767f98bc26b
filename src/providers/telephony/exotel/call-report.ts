import { z } from 'zod'
import type { ReportedCallFacts } from '../../../ports/call-facts.ts'
import { isUuid } from '../../../kernel/ids.ts'
import { type CountryCode, toE164 } from '../../../kernel/phone.ts'
import { instantOf } from './moments.ts'

/** A field of the provider, which may be missing. */
export const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? '').trim())
/** No call takes longer than a day: such a length is no length. */
export const seconds = z.coerce.number().nonnegative().max(86_400).catch(0)

/** One phone of a call: the agent's comes first, then the customer's. */
export type Leg = { readonly status: string; readonly seconds: number }

/** What status webhooks and call details have in common. */
export type CallReport = {
  readonly status: string
  readonly to: string
  readonly callerId: string
  readonly customField: string
  readonly startTime: string
  readonly endTime: string
  readonly updatedAt: string
  readonly conversationSeconds: number
  readonly recordingUrl: string
  readonly legs: readonly Leg[]
}

/** `customField` is the reference that the call was made with: the id of the agent's record. */
export function knownFacts(report: CallReport, country: CountryCode): ReportedCallFacts {
  return {
    direction: 'OUTBOUND',
    phoneNumber: toE164(report.to, country),
    did: toE164(report.callerId, country),
    agentRecordId: isUuid(report.customField) ? report.customField : null,
    startedAt: instantOf(report.startTime),
  }
}

/** Whether the customer has answered, by the customer's own leg; null if the report has no legs. */
export function customerAnswered({ legs }: CallReport): boolean | null {
  const [agent, customer] = legs
  if (!agent) return null
  return customer !== undefined && (customer.status === '' ? customer.seconds > 0 : answeredStatuses.has(customer.status))
}

const answeredStatuses: ReadonlySet<string> = new Set(['completed', 'in-progress'])

/** The status `completed` only means that the agent has answered. Without legs, the customer was reached if the two have talked. */
export function endFacts(report: CallReport): ReportedCallFacts {
  const talkSeconds = report.conversationSeconds || (report.legs[1]?.seconds ?? 0)
  const answered = customerAnswered(report) ?? (report.status === 'completed' && talkSeconds > 0)
  const endedAt = instantOf(report.endTime) ?? instantOf(report.updatedAt)
  const talkedFrom = endedAt === null ? null : new Date(Date.parse(endedAt) - talkSeconds * 1000).toISOString()
  return {
    answered,
    answeredAt: answered ? talkedFrom : null,
    endedAt,
    talkSeconds: answered ? talkSeconds : 0,
    recordingUrl: answered && URL.canParse(report.recordingUrl) ? report.recordingUrl : null,
  }
}
