import type { StandInAnswer } from '../stand-in.ts'
import type { AccountState, AgentState, SandboxCall } from './account.ts'
import type { AcceptedRequest } from './authentication.ts'
import type { CallDesk } from './calls.ts'
import { nationalNumber, sameNumber, textOf, wireAnswer } from './wire.ts'

/** Begins an outbound call; what happens next is up to the test or to the sandbox's own play. */
export type BeginOutbound = (
  account: AccountState,
  call: { agentId: string; customer: string; campaign?: string; did?: string; uui: string },
) => SandboxCall

const free: ReadonlySet<AgentState['status']> = new Set(['AUX', 'IDLE', 'pause'])

/** `POST /ca_apis/AgentManualDial`. */
export function agentManualDial({ account, fields }: AcceptedRequest, begin: BeginOutbound): StandInAnswer {
  const failure = (message: string): StandInAnswer => wireAnswer({ status: 'error', message })
  const asked = ['agentID', 'campaignName', 'customerNumber', 'UCID'].map((name) => textOf(fields, name))
  if (asked.includes('')) return failure('All parameters are mandatory')
  const [agentId = '', campaign = '', customer = ''] = asked
  if (!account.account.campaigns.some(({ name }) => name === campaign)) return failure('Campaign is invalid')
  const agent = account.agents.get(agentId)
  if (!agent || !free.has(agent.status)) return failure('Agent is not available')
  const call = begin(account, { agentId, customer, campaign, uui: textOf(fields, 'uui') })
  return wireAnswer({ ucid: call.ucid, status: 'queued successfully' })
}

/** `POST /ca_apis/PhoneManualDial`: rings the phone. */
export function phoneManualDial({ account, fields }: AcceptedRequest, begin: BeginOutbound): StandInAnswer {
  const failure = (message: string): StandInAnswer => wireAnswer({ status: 'error', message })
  const [customer = '', phoneName = '', did = ''] = ['custNumber', 'phoneName', 'did'].map((name) => textOf(fields, name))
  if (customer === '' || phoneName === '' || did === '') return failure('All parameters are mandatory')
  if (!account.account.campaigns.some((campaign) => sameNumber(campaign.did, did))) return failure('Invalid did')
  const agent = [...account.agents.values()].find((candidate) => candidate.agent.phoneName === phoneName)
  if (!agent) return failure('Invalid phoneName')
  const checked = textOf(fields, 'checkStatus') === 'true'
  if (agent.status === 'calling' || agent.status === 'incall' || (checked && agent.status !== 'IDLE'))
    return failure('Agent is not available')
  const call = begin(account, { agentId: agent.agent.id, customer, did, uui: textOf(fields, 'uui') })
  return wireAnswer({ status: 'queued', message: call.ucid })
}

/** `POST /ca_apis/CallControl_V4`. Hanging up is KICK_CALL with the agent's number. */
export function callControl({ account, fields }: AcceptedRequest, desk: CallDesk): StandInAnswer {
  const call = callOf(account, textOf(fields, 'ucid'))
  const party = textOf(fields, 'conferenceNumber')
  const action = textOf(fields, 'action')
  const rings = call?.phase === 'ringing' && action !== 'KICK_CALL'
  if (!call || call.phase === 'ended' || rings || !sameNumber(call.did, textOf(fields, 'did'))) return controlFailure('Call not Found')
  if (party === '' || textOf(fields, 'agentPhoneName') === '') return controlFailure('Please pass valid Conference number')
  const message = act({ account, call, desk, party }, action)
  return message === null
    ? controlFailure('Please pass valid Conference number')
    : wireAnswer({ status: 'Success', message, ucid: call.ucid })
}

function controlFailure(message: string): StandInAnswer {
  return wireAnswer({ status: 'Error', message })
}

type Act = { readonly account: AccountState; readonly call: SandboxCall; readonly desk: CallDesk; readonly party: string }

/** Does it and says so; null for a party or an action that it does not take. */
function act({ call, ...rest }: Act, action: string): string | null {
  switch (action) {
    case 'CONFERENCE':
      if (!/^(?:0\d{10}|\+(?!91)\d{8,15})$/.test(rest.party)) return null
      rest.desk.addParty(call, rest.party)
      return 'dialing'
    case 'HOLD':
      call.held = true
      return 'User hold is successful'
    case 'UNHOLD':
      call.held = false
      return 'Call is Un-hold successfully'
    case 'MUTE':
      call.muted = true
      return 'call got mute successfully'
    case 'UNMUTE':
      call.muted = false
      return 'unmute success'
    case 'KICK_CALL':
      return kick({ call, ...rest }) ? 'call got disconnected' : null
    default:
      return null
  }
}

function agentOf(account: AccountState, call: SandboxCall): AgentState | undefined {
  return call.agentId === null ? undefined : account.agents.get(call.agentId)
}

function kick({ account, call, desk, party }: Act): boolean {
  const agent = agentOf(account, call)
  if (agent && [agent.phoneNumber, agent.agent.phoneName].includes(party)) {
    if (call.agentLeft) return false
    desk.leave(account, call)
    return true
  }
  if (nationalNumber(call.customer) !== nationalNumber(party)) return desk.dropParty(account, call, party)
  desk.end(account, call, 'UserHangup')
  return true
}

/** A call by its identifier or by that of its agent's leg. */
export function callOf(account: AccountState, ucid: string): SandboxCall | undefined {
  return account.calls.get(ucid) ?? [...account.calls.values()].find((call) => call.legUcid === ucid)
}
