import { allAgents, type SandboxAgent, type TelephonyAccount } from '../accounts.ts'

/** How the provider's administrator set the account up. */
export type AuthenticationMode = 'apiKey' | 'token'

/** The state of an agent. */
export type AgentStatus = 'loggedOut' | 'AUX' | 'IDLE' | 'pause' | 'calling' | 'incall' | 'ACW'

/** What happens to an agent, in the words of the provider's events; `release` announces the end of the wrap-up. */
export type AgentAction = Exclude<AgentStatus, 'loggedOut'> | 'login' | 'release' | 'logout'

export type AgentState = {
  readonly agent: SandboxAgent
  status: AgentStatus
  /** The number given at login; the calls go there. */
  phoneNumber: string
  pauseReason: string
  /** The call at hand, or the one that is being wrapped up. */
  ucid: string | null
  since: number
}

/** A third party of a call; `number` as it was dialled. It rings until it answers. */
export type ConferenceParty = { readonly number: string; hasAnswered: boolean }

export type CallPhase = 'ringing' | 'talking' | 'ended'

/** One call as the provider knows it; moments in epoch milliseconds. */
export type SandboxCall = {
  readonly ucid: string
  /** The agent's leg. The call itself is known by `ucid`, which the wire calls monitor UCID. */
  readonly legUcid: string
  readonly direction: 'inbound' | 'outbound'
  readonly customer: string
  readonly did: string
  readonly campaign: string
  readonly skill: string
  readonly uui: string
  readonly startedAt: number
  /** Null if no agent was free, or for a call to a phone without an agent. */
  readonly agentId: string | null
  readonly audioFile: string
  phase: CallPhase
  answeredAt: number | null
  endedAt: number | null
  hangupBy: string
  held: boolean
  muted: boolean
  recording: 'on' | 'paused'
  conference: ConferenceParty[]
  /** The agent has left, and the customer talks with a third party. */
  agentLeft: boolean
  /** What the records say about a transfer, in the provider's words; null if it knows of none. */
  transfer: { readonly type: string; readonly to: string } | null
  /** Given while the call still went on; saved when it ends. */
  queued: Disposal | null
  disposition: string
  comments: string
  callBackTime: string
  disposedAt: number | null
  endSent: boolean
}

export type Disposal = {
  readonly disposition: string
  readonly comments: string
  readonly callBackTime: string
  readonly autoRelease: boolean
  readonly pauseReason: string
}

/** Where callbacks go; null: nowhere. The administrator enters `endOfCall` at the provider; the others come by subscription. */
export type CallbackUrls = { endOfCall: string | null; callEvents: string | null; agentEvents: string | null }

/** How callbacks misbehave, for tests of those who receive them. */
export type CallbackHabits = {
  /** How often each end of call is sent; 1 is a provider at its best. */
  copies: number
  /** `afterDisposition`: the end of call waits for it. `atOnce`: it is sent without, and again when a disposition comes. */
  endOfCall: 'afterDisposition' | 'atOnce'
  /** `lost`: no callback is sent. `late`: they are sent when the delivery works again. */
  delivery: 'works' | 'lost' | 'late'
}

export type AccountState = {
  readonly account: TelephonyAccount
  mode: AuthenticationMode
  /** The HTTP status of a refused key or token; the real one has been seen with both. */
  refusalStatus: 200 | 401
  token: { value: string; expiresAt: number } | null
  readonly mintedAt: number[]
  readonly reportsAt: number[]
  readonly agents: Map<string, AgentState>
  readonly calls: Map<string, SandboxCall>
  readonly urls: CallbackUrls
  /** How often the live events were subscribed. */
  subscriptions: number
  readonly habits: CallbackHabits
  /** Callbacks that wait until the delivery works again. */
  readonly late: (() => void)[]
}

export function createAgentState(agent: SandboxAgent, since: number): AgentState {
  return { agent, status: 'loggedOut', phoneNumber: agent.phoneNumber, pauseReason: '', ucid: null, since }
}

export function createAccountState(account: TelephonyAccount, now: number): AccountState {
  const agents = allAgents(account).map((agent): [string, AgentState] => [agent.id, createAgentState(agent, now)])
  return {
    account,
    mode: 'token',
    refusalStatus: 401,
    token: null,
    mintedAt: [],
    reportsAt: [],
    agents: new Map(agents),
    calls: new Map(),
    urls: { endOfCall: null, callEvents: null, agentEvents: null },
    subscriptions: 0,
    habits: { copies: 1, endOfCall: 'afterDisposition', delivery: 'works' },
    late: [],
  }
}

/** An agent for load. */
export function loadAgent(number: number): SandboxAgent {
  const phoneNumber = String(20_000 + number)
  const id = `load${number}`
  return {
    id,
    name: `Load ${number}`,
    password: `load-${number}`,
    phoneName: `phone-${id}`,
    phoneNumber,
    uniqueId: String(90_000 + number),
  }
}

/** The ID of the agent who has been ready for the longest time; null if nobody is. */
export function readyAgent(account: AccountState): string | null {
  const ready = [...account.agents.values()].filter((agent) => agent.status === 'IDLE').toSorted((a, b) => a.since - b.since)
  return ready[0]?.agent.id ?? null
}
