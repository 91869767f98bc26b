// Made from the AsyncAPI document by `npm run codegen`.
/** A call has its disposition, or a correction of it */
export interface CallCompleted {
  readonly id: string
  readonly version: number
  readonly workspaceId: string
  readonly occurredAt: string
  readonly type: 'call.completed'
  readonly ucid: string
  readonly callId: string | null
  readonly leadId: string | null
  readonly agentId: string | null
  readonly memberId: string | null
  readonly disposition: string | null
  readonly supersedes: string | null
}

/** Nobody answered an inbound call */
export interface CallMissed {
  readonly id: string
  readonly version: number
  readonly workspaceId: string
  readonly occurredAt: string
  readonly type: 'call.missed'
  readonly ucid: string
  readonly callId: string | null
  readonly leadId: string | null
}

/** An agent has left a call to a third party, with whom the customer goes on talking */
export interface CallTransferred {
  readonly id: string
  readonly version: number
  readonly workspaceId: string
  readonly occurredAt: string
  readonly type: 'call.transferred'
  readonly ucid: string
  readonly callId: string
  readonly leadId: string | null
  readonly agentId: string | null
  readonly memberId: string | null
  readonly target: 'NUMBER' | 'AGENT' | 'QUEUE' | 'OTHER'
}

/** The recording of an answered call is available */
export interface CallRecorded {
  readonly id: string
  readonly version: number
  readonly workspaceId: string
  readonly occurredAt: string
  readonly type: 'call.recorded'
  readonly ucid: string
  readonly callId: string
  readonly leadId: string | null
  readonly agentId: string | null
}

/** The recording of a call was analysed without a click */
export interface CallAnalysed {
  readonly id: string
  readonly version: number
  readonly workspaceId: string
  readonly occurredAt: string
  readonly type: 'call.analysed'
  readonly ucid: string
  readonly callId: string
  readonly leadId: string | null
  readonly agentId: string | null
}

/** An agent's state has changed */
export interface AgentState {
  readonly id: string
  readonly version: number
  readonly workspaceId: string
  readonly occurredAt: string
  readonly type: 'agent.state'
  readonly agentId: string
  readonly state: 'SIGNED_IN' | 'SIGNED_OUT' | 'READY' | 'NOT_READY' | 'ON_CALL' | 'WRAP_UP' | 'EXPIRED'
}

/** The payload of each topic. */
export interface Events {
  readonly "call.completed": CallCompleted
  readonly "call.missed": CallMissed
  readonly "call.transferred": CallTransferred
  readonly "call.recorded": CallRecorded
  readonly "call.analysed": CallAnalysed
  readonly "agent.state": AgentState
}

/** Any published event; `type` says which. */
export type ServiceEvent = Events[keyof Events]

/** The Kafka headers of every event, as text. */
export interface EventHeaders {
  /** The event's `id`. */
  readonly "event-id": string
  /** The topic. */
  readonly type: string
  /** The event's `version`. */
  readonly version: string
  /** The event's `workspaceId`. */
  readonly workspace: string
  /** Only in an event that a manager sent again: the one consumer that it is for. Others leave it out. */
  readonly receiver?: string
  /** Only in an event that a manager sent again: distinguishes it from the earlier delivery. */
  readonly replay?: string
}
