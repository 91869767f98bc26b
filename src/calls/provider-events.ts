import type { CallRecord } from './telephony.ts'

/** What a telephony provider tells by itself. The same may come twice, late and out of order. */
export type ProviderEvent = CallProgress | CallEnd | AgentProgress

/** A call as it goes. */
export type CallProgress = {
  readonly type: 'CALL_PROGRESS'
  readonly phase: 'RINGING' | 'ANSWERED' | 'DISCONNECTED'
  readonly ucid: string
  readonly direction: 'INBOUND' | 'OUTBOUND'
  /** The agent at the provider, where one is chosen. */
  readonly agentId: string | null
  /** The customer, E.164; null where withheld. */
  readonly phoneNumber: string | null
  readonly did: string | null
  readonly at: string
}

/** The whole of a call after its end; sent again where its disposition comes late. */
export type CallEnd = {
  readonly type: 'CALL_END'
  readonly record: CallRecord
  /** What was given with the dialling. */
  readonly reference: string | null
}

export type AgentProgress = {
  readonly type: 'AGENT_PROGRESS'
  readonly agentId: string
  readonly state: 'SIGNED_IN' | 'NOT_READY' | 'READY' | 'RINGING' | 'ON_CALL' | 'WRAP_UP' | 'SIGNED_OUT'
  /** Of NOT_READY, where the agent gave one. */
  readonly pauseReason: string | null
  readonly at: string
}

/** A callback, read. It holds no secret: it may be kept. */
export type ProviderCallback = {
  /** Whether it shows the account's own secret: `ABSENT` where this kind of callback carries none. Only `WRONG` is a reason to refuse. */
  readonly proof: 'SHOWN' | 'WRONG' | 'ABSENT'
  /** None for a kind that means nothing here. */
  readonly events: readonly ProviderEvent[]
}
