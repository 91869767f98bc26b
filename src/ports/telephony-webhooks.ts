import type { AgentState } from './agent-activity.ts'
import type { ReportedCallFacts } from './call-facts.ts'

/** Verifies and reads the webhooks of a telephony provider. */
export interface TelephonyWebhooks {
  /**
   * Reads one webhook; empty if it holds nothing of use. Repeatable, changes nothing. The result holds no secret of the body. Errors:
   * INVALID_INPUT (not a webhook of this provider), WEBHOOK_REFUSED (the proof in the body is missing or wrong).
   */
  read(body: string, contentType: string): readonly WebhookUpdate[]
}

export type WebhookUpdate = CallUpdate | AgentUpdate

/** Times are ISO 8601 in UTC, `phoneNumber` E.164, ids opaque texts. */
export type CallUpdate = {
  readonly about: 'CALL'
  readonly ucid: string
  /** LIVE: an event while the call goes on. RECORD: the provider's record of the whole call. */
  readonly source: 'LIVE' | 'RECORD'
  readonly facts: ReportedCallFacts
  /** A disposition that the provider set because the agent set none in time. */
  readonly automaticDisposition: string | null
  /** True for an answer that may be the agent's, whose phone rings first: the customer is perhaps not reached yet. */
  readonly mayBeAgentAlone?: boolean | undefined
}

export type AgentUpdate = {
  readonly about: 'AGENT'
  /** The agent's id at the provider. */
  readonly agentId: string
  readonly state: AgentState
  readonly reason: string | null
  /** The agent's call, if the event names it. */
  readonly ucid: string | null
  readonly at: string
}
