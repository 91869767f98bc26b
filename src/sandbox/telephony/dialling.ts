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

const free: readonly AgentState['status'][] = ['AUX', 'IDLE', 'pause']

/** `POST /ca_apis/AgentManualDial`. */
export function agentManualDial({ account, fields }: AcceptedRequest, begin: BeginOutbound): StandInAnswer {
  const failure = (message: string): StandInAnswer => wireAnswer({ status: 'error', message })
  const asked = ['agentID', 'campaignName', 'customerNumber', 'UCID'].map((name) => textOf(fields, name))
  if (asked.includes('')) return failure('All parameters are mandatory')
  const [agentId = '', campaign = '', customer = ''] = asked
  if (!account.account.campaigns.some(({ name }) => name === campaign)) return failure('Campaign is invalid')
  const agent = account.agents.get(agentId)
  if (!agent || !free.includes(agent.status)) return failure('Agent is not available')
  const call = begin(account, { agentId, customer, campaign, uui: textOf(fields, 'uui') })
  return wireAnswer({ ucid: call.ucid, status: 'queued successfully' })
}

/** `POST /ca_apis/PhoneManualDial`: rings the phone, whoever sits there. */
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
  const failure = (message: string): StandInAnswer => wireAnswer({ status: 'Error', message })
  const call = callOf(account, textOf(fields, 'ucid'))
  if (call?.phase === 'ended' || !call || !sameNumber(call.did, textOf(fields, 'did'))) return failure('Call not Found')
  const party = textOf(fields, 'conferenceNumber')
  const action = textOf(fields, 'action')
  if (action !== 'KICK_CALL' && call.phase !== 'talking') return failure('Call not Found')
  const done = (message: string): StandInAnswer => wireAnswer({ status: 'Success', message, ucid: call.ucid })
  switch (action) {
    case 'CONFERENCE':
      if (!/^0\d{10}$/.test(party)) return failure('Invalid conferenceNumber')
      call.conference.push(party)
      return done('dialing')
    case 'HOLD':
    case 'UNHOLD':
      call.held = action === 'HOLD'
      return done('success')
    case 'MUTE':
    case 'UNMUTE':
      call.muted = action === 'MUTE'
      return done('success')
    case 'KICK_CALL':
      return kick({ account, call, party, desk }) ? done('success') : failure('conferenceNumber is Invalid')
    default:
      return failure('action is Invalid')
  }
}

type Kick = { readonly account: AccountState; readonly call: SandboxCall; readonly party: string; readonly desk: CallDesk }

function kick({ account, call, party, desk }: Kick): boolean {
  const agent = call.agentId === null ? undefined : account.agents.get(call.agentId)
  if (agent && [agent.phoneNumber, agent.agent.phoneName].includes(party)) {
    desk.end(account, call, 'AgentHangup')
    return true
  }
  if (nationalNumber(call.customer) === nationalNumber(party)) {
    desk.end(account, call, 'UserHangup')
    return true
  }
  const present = call.conference.includes(party)
  call.conference = call.conference.filter((number) => number !== party)
  return present
}

/** A call by its identifier or by that of its agent's leg. */
export function callOf(account: AccountState, ucid: string): SandboxCall | undefined {
  return account.calls.get(ucid) ?? [...account.calls.values()].find((call) => call.legUcid === ucid)
}
