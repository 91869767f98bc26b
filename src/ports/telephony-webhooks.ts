import type { AgentState } from './agent-activity.ts'
import type { ReportedCallFacts } from './call-facts.ts'

/** What a provider tells us by itself, read and proven. */
export interface TelephonyWebhooks {
  /**
   * Reads one callback. Repeatable, changes nothing; the result holds no secret of the body. Errors: INVALID_INPUT (no callback of this
   * provider), TOKEN_REFUSED (the body's own proof is missing or wrong). A callback that says nothing of use gives an empty list.
   */
  read(body: string, contentType: string): readonly WebhookUpdate[]
}

export type WebhookUpdate = CallUpdate | AgentUpdate

/** Moments are ISO 8601 in UTC, numbers E.164, ids opaque texts. */
export type CallUpdate = {
  readonly about: 'CALL'
  readonly ucid: string
  /** LIVE: an event while the call goes on. RECORD: the provider's record of the whole call. */
  readonly source: 'LIVE' | 'RECORD'
  readonly facts: ReportedCallFacts
  /** A disposition that the provider set because nobody did in time. */
  readonly automaticDisposition: string | null
}

export type AgentUpdate = {
  readonly about: 'AGENT'
  /** The agent's name at the provider. */
  readonly agentId: string
  readonly state: AgentState
  readonly reason: string | null
  /** The call at hand, where the event names it. */
  readonly ucid: string | null
  readonly at: string
}
