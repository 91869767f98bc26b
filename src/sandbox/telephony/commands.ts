import { z } from 'zod'
import { type TelephonyAccount, telephonyAccounts } from '../accounts.ts'
import type { Callback, CallbackSender } from '../send-webhook.ts'
import { type AccountState, type AgentStatus, createAgentState, loadAgent, readyAgent, type SandboxCall } from './account.ts'
import { busy } from './agents.ts'
import type { CallDesk } from './calls.ts'
import { callOf } from './dialling.ts'
import { sameNumber } from './wire.ts'

const account = z.string().default(telephonyAccounts.demo.userName)
const ringSchema = z.strictObject({
  account,
  from: z.string(),
  did: z.string().optional(),
  agentId: z.string().optional(),
  uui: z.string().default(''),
})
const callSchema = z.object({ ucid: z.string(), by: z.enum(['UserHangup', 'AgentHangup']).default('UserHangup') })
const playSchema = ringSchema.extend({ talkSeconds: z.number().positive().default(60), ringSeconds: z.number().nonnegative().default(6) })
const partySchema = z.object({ ucid: z.string(), number: z.string() })
const panelSchema = z.object({ ucid: z.string(), type: z.string(), to: z.string() })
const modeSchema = z.strictObject({
  account,
  mode: z.enum(['apiKey', 'token']).optional(),
  refusalStatus: z.union([z.literal(200), z.literal(401)]).optional(),
  endOfCall: z.enum(['afterDisposition', 'atOnce']).optional(),
  copies: z.int().min(1).optional(),
  endOfCallUrl: z.url().nullish(),
  /** An outage of the delivery of callbacks: `lost` for good, or `late`, sent when it `works` again. */
  delivery: z.enum(['works', 'lost', 'late']).optional(),
})
const accountSchema = z.strictObject({ account })
const seedAgentsSchema = z.strictObject({ account, count: z.int().positive() })
const agentSchema = z.strictObject({ account, agentId: z.string() })

/** A call in the answers of sandbox commands. */
export type PlayedCall = { readonly ucid: string; readonly agentId: string | null; readonly did: string }
export type SubscribedEvents = { readonly callEvents: string | null; readonly agentEvents: string | null; readonly subscriptions: number }
export type PlayedAgent = {
  readonly status: AgentStatus
  readonly phoneNumber: string
  readonly pauseReason: string
  readonly ucid: string | null
}

/** Simulates callers and agents. Each command is also `POST /_sandbox/<name>`. `account` defaults to the demo account. */
export interface TelephonyCommands {
  /** A call comes in and rings at `agentId`, else at an agent who is ready for the DID's campaign, else at no agent. Throws if `agentId` has a call. */
  ring(input: z.input<typeof ringSchema>): PlayedCall
  /** The agent (inbound) or the customer (outbound) picks up. */
  answer(input: z.input<typeof callSchema>): void
  hangUp(input: z.input<typeof callSchema>): void
  /** A third party of the call picks up. */
  answerParty(input: z.input<typeof partySchema>): void
  /** A third party of the call hangs up, or does not answer. */
  dropParty(input: z.input<typeof partySchema>): void
  /** The agent transfers the call in the provider's own user interface; `type` and `to` as its records say it. */
  transferAtPanel(input: z.input<typeof panelSchema>): void
  /** A caller who gives up before anyone answers. */
  missCall(input: z.input<typeof ringSchema>): PlayedCall
  /** A whole answered call at once, its moments set back so that it ends now. */
  inboundCall(input: z.input<typeof playSchema>): PlayedCall
  /**
   * The account's settings at the provider, which its administrator enters in the provider's console; fields left out stay. `endOfCallUrl`:
   * where ends of calls are reported, null nowhere. Live events go only where `POST /events/subscribe` sent them.
   */
  accountMode(input: z.input<typeof modeSchema>): void
  /** The account's token runs out now. */
  expireToken(input?: z.input<typeof accountSchema>): void
  /** The live events of the account: where they go (null: nobody has subscribed), and how often they were subscribed. */
  liveEvents(input?: z.input<typeof accountSchema>): SubscribedEvents
  agent(input: z.input<typeof agentSchema>): PlayedAgent
  call(input: { ucid: string }): SandboxCall
  /** Adds so many agents, `load1` and on with the password `load-1` and on, for load. */
  seedAgents(input: z.input<typeof seedAgentsSchema>): void
  callbacks(): readonly Callback[]
}

export function createTelephonyCommands({
  accounts,
  desk,
  sender,
  nextRecording,
}: {
  readonly accounts: readonly AccountState[]
  readonly desk: CallDesk
  readonly sender: CallbackSender
  readonly nextRecording: () => string
}): TelephonyCommands {
  const find = (ucid: string): { account: AccountState; call: SandboxCall } => {
    for (const account of accounts) {
      const call = callOf(account, ucid)
      if (call) return { account, call }
    }
    throw new Error(`no call ${ucid}`)
  }
  const begin = (input: z.output<typeof ringSchema>, begunMsAgo = 0): { account: AccountState; call: SandboxCall } => {
    const account = accountOf(accounts, input.account)
    const campaign = campaignOf(account.account, input.did)
    const agentId = input.agentId ?? readyAgent(account)
    const facts = { direction: 'inbound', customer: input.from, did: campaign.did, campaign: campaign.name, skill: campaign.skill } as const
    return { account, call: desk.begin(account, { ...facts, uui: input.uui, agentId, audioFile: nextRecording(), begunMsAgo }) }
  }
  const played = (call: SandboxCall): PlayedCall => ({ ucid: call.ucid, agentId: call.agentId, did: call.did })

  return {
    ring: (input) => played(begin(atFreeAgent(accounts, ringSchema.parse(input))).call),
    answer(input) {
      const { account, call } = find(callSchema.parse(input).ucid)
      if (call.phase !== 'ringing' || call.agentId === null) throw new Error(`call ${call.ucid} cannot be answered: ${call.phase}`)
      desk.answer(account, call)
    },
    hangUp(input) {
      const { ucid, by } = callSchema.parse(input)
      const { account, call } = find(ucid)
      if (call.phase === 'ended') throw new Error(`call ${ucid} has ended`)
      if (by === 'AgentHangup' && !call.agentLeft) desk.leave(account, call)
      else desk.end(account, call, by)
    },
    ...partyCommands(find, desk),
    missCall(input) {
      const { account, call } = begin(ringSchema.parse(input))
      desk.end(account, call, 'UserHangup')
      return played(call)
    },
    inboundCall(input) {
      const { talkSeconds, ringSeconds, ...ring } = playSchema.parse(input)
      const { account, call } = begin(ring, (talkSeconds + ringSeconds) * 1000)
      if (call.agentId !== null) desk.answer(account, call, talkSeconds * 1000)
      desk.end(account, call, 'UserHangup')
      return played(call)
    },
    call: ({ ucid }) => ({ ...find(ucid).call }),
    callbacks: () => sender.sent(),
    ...accountCommands(accounts),
  }
}

type Ring = z.output<typeof ringSchema>

function atFreeAgent(accounts: readonly AccountState[], ring: Ring): Ring {
  const agent = ring.agentId === undefined ? undefined : accountOf(accounts, ring.account).agents.get(ring.agentId)
  if (agent && busy.has(agent.status)) throw new Error(`${agent.agent.id} has a call: no other one rings`)
  return ring
}

type FoundCall = { readonly account: AccountState; readonly call: SandboxCall }
type PartyCommand = 'answerParty' | 'dropParty' | 'transferAtPanel'

/** The commands that concern third parties. */
function partyCommands(find: (ucid: string) => FoundCall, desk: CallDesk): Pick<TelephonyCommands, PartyCommand> {
  return {
    answerParty(input) {
      const { ucid, number } = partySchema.parse(input)
      const party = find(ucid).call.conference.find((candidate) => sameNumber(candidate.number, number))
      if (!party) throw new Error(`${number} is not in call ${ucid}`)
      party.hasAnswered = true
    },
    dropParty(input) {
      const { ucid, number } = partySchema.parse(input)
      const { account, call } = find(ucid)
      if (!desk.dropParty(account, call, number)) throw new Error(`${number} is not in call ${ucid}`)
    },
    transferAtPanel(input) {
      const { ucid, type, to } = panelSchema.parse(input)
      const { account, call } = find(ucid)
      call.transfer = { type, to }
      call.conference.push({ number: to, hasAnswered: true })
      desk.leave(account, call)
    },
  }
}

type AccountCommand = 'accountMode' | 'liveEvents' | 'expireToken' | 'agent' | 'seedAgents'

/** The commands that concern an account and its agents. */
function accountCommands(accounts: readonly AccountState[]): Pick<TelephonyCommands, AccountCommand> {
  return {
    accountMode(input) {
      const { account, mode, refusalStatus, endOfCallUrl, ...habits } = modeSchema.parse(input)
      const state = accountOf(accounts, account)
      state.mode = mode ?? state.mode
      state.refusalStatus = refusalStatus ?? state.refusalStatus
      if (endOfCallUrl !== undefined) state.urls.endOfCall = endOfCallUrl
      state.habits.copies = habits.copies ?? state.habits.copies
      state.habits.endOfCall = habits.endOfCall ?? state.habits.endOfCall
      state.habits.delivery = habits.delivery ?? state.habits.delivery
      if (state.habits.delivery === 'works') for (const send of state.late.splice(0)) send()
    },
    expireToken(input) {
      const { token } = accountOf(accounts, accountSchema.parse(input ?? {}).account)
      if (token) token.expiresAt = 0
    },
    liveEvents(input) {
      const { urls, subscriptions } = accountOf(accounts, accountSchema.parse(input ?? {}).account)
      return { callEvents: urls.callEvents, agentEvents: urls.agentEvents, subscriptions }
    },
    agent(input) {
      const { account, agentId } = agentSchema.parse(input)
      const agent = accountOf(accounts, account).agents.get(agentId)
      if (!agent) throw new Error(`no agent ${agentId} in ${account}`)
      return { status: agent.status, phoneNumber: agent.phoneNumber, pauseReason: agent.pauseReason, ucid: agent.ucid }
    },
    seedAgents(input) {
      const { account, count } = seedAgentsSchema.parse(input)
      const { agents } = accountOf(accounts, account)
      for (let number = 1; number <= count; number += 1) agents.set(`load${number}`, createAgentState(loadAgent(number), 0))
    },
  }
}

function accountOf(accounts: readonly AccountState[], userName: string): AccountState {
  const found = accounts.find(({ account }) => account.userName === userName)
  if (!found) throw new Error(`no account ${userName}; there are ${accounts.map(({ account }) => account.userName).join(', ')}`)
  return found
}

/** The same commands as another process may send them. */
export function telephonyWireCommands(commands: TelephonyCommands): Record<string, (input: unknown) => unknown> {
  return {
    ring: (input) => commands.ring(ringSchema.parse(input)),
    answer: (input) => commands.answer(callSchema.parse(input)),
    hangUp: (input) => commands.hangUp(callSchema.parse(input)),
    answerParty: (input) => commands.answerParty(partySchema.parse(input)),
    dropParty: (input) => commands.dropParty(partySchema.parse(input)),
    transferAtPanel: (input) => commands.transferAtPanel(panelSchema.parse(input)),
    missCall: (input) => commands.missCall(ringSchema.parse(input)),
    inboundCall: (input) => commands.inboundCall(playSchema.parse(input)),
    accountMode: (input) => commands.accountMode(modeSchema.parse(input)),
    liveEvents: (input) => commands.liveEvents(accountSchema.parse(input ?? {})),
    expireToken: (input) => commands.expireToken(accountSchema.parse(input ?? {})),
    agent: (input) => commands.agent(agentSchema.parse(input)),
    call: (input) => commands.call(callSchema.parse(input)),
    seedAgents: (input) => commands.seedAgents(seedAgentsSchema.parse(input)),
    callbacks: () => commands.callbacks(),
  }
}

function campaignOf(account: TelephonyAccount, did: string | undefined): TelephonyAccount['campaigns'][number] {
  if (did === undefined) return account.campaigns[0]
  const found = account.campaigns.find((campaign) => sameNumber(campaign.did, did))
  if (!found) throw new Error(`no campaign for ${did}; there are ${account.campaigns.map((campaign) => campaign.did).join(', ')}`)
  return found
}
