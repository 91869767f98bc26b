import type { Actor } from '../../access/actor.ts'

/** The caller's agent as calls need it. `providerAgentId` is the effective one: the record's, else the configured default. */
export type CallAgent = {
  /** The agent record's id. */
  readonly id: string
  readonly providerAgentId: string
  /** The SIP extension or number that rings. */
  readonly phoneNumber: string | null
  readonly campaignName: string | null
}

/** Who of the platform's agents a caller is; null for members without an agent record. */
export type CallAgentOf = (caller: Actor) => Promise<CallAgent | null>
