import type { OutboundAccount } from '../accounts.ts'

const indiaOffsetMs = 5.5 * 3_600_000

export type ExotelCallStatus = 'in-progress' | 'completed' | 'failed' | 'busy' | 'no-answer'

export type ExotelCall = {
  readonly sid: string
  readonly account: OutboundAccount
  readonly from: string
  readonly to: string
  readonly callerId: string
  readonly customField: string
  readonly recorded: boolean
  readonly callback: { readonly url: string; readonly events: readonly string[]; readonly json: boolean } | null
  readonly startedAt: number
  /** The recording's path on this stand-in, once there is one. */
  recordingName: string | null
  status: ExotelCallStatus
  /** When the agent's phone was answered, which rings first. */
  agentAnsweredAt: number | null
  /** When the customer answered. */
  answeredAt: number | null
  endedAt: number | null
}

/** `YYYY-MM-DD HH:MM:SS` in India Standard Time. */
function exotelTime(epochMs: number): string {
  return new Date(epochMs + indiaOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** What `connect.json` answers: length and price come minutes after the call. */
export function connectBody(call: ExotelCall) {
  return {
    Call: {
      Sid: call.sid,
      ParentCallSid: null,
      DateCreated: exotelTime(call.startedAt),
      DateUpdated: exotelTime(call.startedAt),
      AccountSid: call.account.sid,
      To: call.to,
      From: call.from,
      PhoneNumberSid: call.callerId,
      Status: call.status,
      StartTime: exotelTime(call.startedAt),
      EndTime: null,
      Duration: null,
      Price: null,
      Direction: 'outbound-api',
      AnsweredBy: null,
      ForwardedFrom: null,
      CallerName: null,
      Uri: `/v1/Accounts/${call.account.sid}/Calls/${call.sid}.json`,
      RecordingUrl: null,
    },
  }
}

/** What `Calls/<CallSid>?details=true` answers: length and price come minutes after the call. */
export function detailsBody(call: ExotelCall, facts: { now: number; recordingUrl: string | null }) {
  const [agent, customer] = legsOf(call, facts.now)
  const isBilled = call.endedAt !== null && facts.now - call.endedAt >= billedAfterMs
  return {
    Call: {
      ...connectBody(call).Call,
      DateUpdated: exotelTime(call.endedAt ?? facts.now),
      Status: call.status,
      EndTime: call.endedAt === null ? null : exotelTime(call.endedAt),
      Duration: isBilled ? String(agent.seconds) : null,
      Price: isBilled ? '1.500' : null,
      RecordingUrl: facts.recordingUrl,
      Details: {
        ConversationDuration: customer.seconds,
        Leg1Status: agent.status,
        Leg2Status: customer.status,
        Legs: [agent, customer].map(({ seconds }, index) => ({ Leg: { Id: index + 1, OnCallDuration: seconds } })),
      },
    },
  }
}

const billedAfterMs = 2 * 60_000

export function callbackBody(
  call: ExotelCall,
  event: 'answered' | 'terminal',
  facts: { now: number; recordingUrl: string | null },
): Record<string, unknown> {
  const [agent, customer] = legsOf(call, facts.now)
  return {
    CallSid: call.sid,
    EventType: event,
    DateCreated: exotelTime(call.startedAt),
    DateUpdated: exotelTime(facts.now),
    Status: call.status,
    To: call.to,
    From: call.from,
    PhoneNumberSid: call.callerId,
    StartTime: exotelTime(call.startedAt),
    EndTime: call.endedAt === null ? '' : exotelTime(call.endedAt),
    Direction: 'outbound-api',
    ConversationDuration: event === 'terminal' ? customer.seconds : 0,
    // The vendor's documentation: only with `terminal`.
    CustomField: event === 'terminal' ? call.customField : '',
    RecordingUrl: event === 'terminal' ? (facts.recordingUrl ?? '') : '',
    Legs: [agent, customer].map((leg) => ({ OnCallDuration: leg.seconds, Status: leg.status, AnsweredBy: leg.answeredBy })),
  }
}

type Leg = { readonly seconds: number; readonly status: string; readonly answeredBy: string }

/** The agent's phone and the customer's, each with its own end. */
function legsOf(call: ExotelCall, now: number): readonly [agent: Leg, customer: Leg] {
  return [legOf(call, call.agentAnsweredAt, now), legOf(call, call.answeredAt, now)]
}

function legOf({ endedAt, status }: ExotelCall, answeredAt: number | null, now: number): Leg {
  if (answeredAt !== null) {
    const seconds = Math.round(((endedAt ?? now) - answeredAt) / 1000)
    return { seconds, status: endedAt === null ? 'in-progress' : 'completed', answeredBy: 'HUMAN' }
  }
  // The overall status is the agent's if the agent has answered.
  const unanswered = status === 'completed' ? 'no-answer' : status
  return { seconds: 0, status: endedAt === null ? '' : unanswered, answeredBy: 'NA' }
}
