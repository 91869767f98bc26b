import type { ReportedCallFacts } from '../../../ports/call-facts.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { isUuid } from '../../../kernel/ids.ts'
import { type CountryCode, reportedToE164 } from '../../../kernel/phone.ts'
import { addressOf, instantOf } from '../field-values.ts'
import { otherParty } from '../other-party.ts'

/** One phone of a call: the agent's comes first, then the customer's. */
export type Leg = { readonly status: string; readonly seconds: number | null }

/** What status webhooks and call details have in common. Texts are empty, and seconds null, if the report does not have them. */
export type CallReport = {
  readonly status: string
  readonly to: string
  readonly callerId: string
  readonly customField: string
  readonly startTime: string
  readonly endTime: string
  readonly updatedAt: string
  readonly conversationSeconds: number | null
  readonly recordingUrl: string
  readonly legs: readonly Leg[]
}

/** `customField` is the reference that the call was made with: the id of the agent's record. */
export function knownFacts(report: CallReport, country: CountryCode): ReportedCallFacts {
  return {
    direction: 'OUTBOUND',
    ...otherParty(report.to, country),
    did: reportedToE164(report.callerId, country),
    agentRecordId: isUuid(report.customField) ? report.customField : null,
    startedAt: instantOf(report.startTime),
  }
}

/** Whether the customer has answered, by the customer's own leg; null if the report does not say it. */
export function customerAnswered({ legs }: CallReport): boolean | null {
  const [agent, customer] = legs
  if (!agent) return null
  if (!customer) return false
  const byStatus = statusesOfLegs.get(statusWord(customer.status))
  if (byStatus !== undefined) return byStatus
  return customer.seconds === null ? null : customer.seconds > 0
}

/** As the vendor writes it, in whatever case. */
export function statusWord(status: string): string {
  return status.toLowerCase().replaceAll(/[\s_]/g, '-')
}

const unanswered = ['failed', 'busy', 'no-answer', 'canceled', 'cancelled'] as const
/** What a call's or a leg's status says when the call is over. */
export const endStatuses: ReadonlySet<string> = new Set(['completed', ...unanswered])
const statusesOfLegs: ReadonlyMap<string, boolean> = new Map([
  ['completed', true],
  ['in-progress', true],
  ...[...unanswered, 'queued', 'ringing'].map((status) => [status, false] as const),
])

/** What the report of an ended call says about it; null is what it does not say. */
export function endFacts(report: CallReport): ReportedCallFacts {
  const legSeconds = report.legs[1]?.seconds ?? null
  const talkSeconds = report.conversationSeconds === 0 ? (legSeconds ?? 0) : (report.conversationSeconds ?? legSeconds)
  const answered = customerAnswered(report) ?? answeredByTalk(report, talkSeconds)
  const endTime = instantOf(report.endTime)
  return {
    answered,
    answeredAt: answered === true ? before(endTime, talkSeconds) : null,
    endedAt: endTime ?? instantOf(report.updatedAt),
    talkSeconds: answered === false ? 0 : answered && talkSeconds,
    recordingUrl: answered === false ? null : addressOf(report.recordingUrl),
  }
}

/** The status `completed` only means that the agent has answered: without legs, the customer was reached if the two have talked. */
function answeredByTalk({ status }: CallReport, talkSeconds: number | null): boolean | null {
  const word = statusWord(status)
  if (word !== 'completed' && endStatuses.has(word)) return false
  if (talkSeconds === null || (talkSeconds === 0 && word !== 'completed')) return null
  return talkSeconds > 0
}

function before(moment: string | null, seconds: number | null): string | null {
  return moment === null || seconds === null ? null : isoMoment(Date.parse(moment) - seconds * 1000)
}
