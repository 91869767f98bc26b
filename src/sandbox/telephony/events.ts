import type { CallbackSender } from '../send-webhook.ts'
import type { AccountState, AgentAction, AgentState, SandboxCall } from './account.ts'
import { bareNumber, clockDuration, indiaTime, nationalNumber, wireJson } from './wire.ts'

/** The events that the provider sends to the service. */
export interface ProviderEvents {
  call(account: AccountState, call: SandboxCall, action: 'Calling' | 'Answered' | 'Disconnect'): void
  agent(account: AccountState, agent: AgentState, action: AgentAction): void
  endOfCall(account: AccountState, call: SandboxCall): void
}

/** The spellings of `Did` that have been seen. */
const didNames = ['Did', 'DId', 'dId'] as const

export function createProviderEvents(sender: CallbackSender, now: () => number): ProviderEvents {
  const live = (account: AccountState, eventType: 'Call' | 'Agent', data: unknown): void => {
    const url = eventType === 'Call' ? account.urls.callEvents : account.urls.agentEvents
    const body = { eventType, eventTime: indiaTime(now()), username: account.account.userName, data }
    if (url !== null) deliver(account, () => sender.send(url, 'application/json', wireJson(body)))
  }
  let ends = 0

  return {
    call: (account, call, action) => live(account, 'Call', callData(account, call, { action, at: now() })),
    agent: (account, agent, action) => live(account, 'Agent', agentData(agent, action, now())),
    endOfCall(account, call) {
      call.endSent = true
      const url = account.urls.endOfCall
      if (url === null) return
      const didName = didNames[ends % didNames.length] ?? 'Did'
      const absent = ends % 2 === 0 ? 'None' : ''
      ends += 1
      const body = new URLSearchParams({ data: wireJson({ [didName]: wireDid(call), ...endOfCallData(account, call, absent) }) })
      for (let copy = 0; copy < account.habits.copies; copy += 1) {
        deliver(account, () => sender.send(url, 'application/x-www-form-urlencoded', body.toString()))
      }
    },
  }
}

function deliver({ habits, late }: AccountState, send: () => void): void {
  if (habits.delivery === 'late') late.push(send)
  else if (habits.delivery === 'works') send()
}

export function wireDid(call: SandboxCall): string {
  return call.did.replaceAll(/\D/g, '')
}

function callData(account: AccountState, call: SandboxCall, event: { action: string; at: number }): Record<string, unknown> {
  const agent = call.agentId === null ? undefined : account.agents.get(call.agentId)
  return {
    action: event.action,
    call_type: call.direction === 'inbound' ? 'inbound' : 'manual',
    ucid: call.legUcid,
    monitor_ucid: bareNumber(call.ucid),
    agent_id: agent?.agent.id ?? '',
    skill: call.skill,
    caller_id: nationalNumber(call.customer),
    did: wireDid(call),
    agent_number: agent?.phoneNumber ?? '',
    event_time: indiaTime(event.at),
  }
}

function agentData(agent: AgentState, action: AgentAction, at: number): Record<string, unknown> {
  return {
    action,
    agentUniqeId: bareNumber(agent.agent.uniqueId),
    agentId: agent.agent.id,
    agentMode: 'INBOUND',
    eventTime: indiaTime(at),
    ...(action === 'pause' ? { pauseReason: agent.pauseReason } : {}),
  }
}

/** The values that the end of a call and the call records share. */
export function callFacts(account: AccountState, call: SandboxCall) {
  const agent = call.agentId === null ? undefined : account.agents.get(call.agentId)
  const endedAt = call.endedAt ?? call.startedAt
  const answeredAt = call.answeredAt
  return {
    agent,
    answered: answeredAt !== null,
    startTime: indiaTime(call.startedAt),
    endTime: indiaTime(endedAt),
    timeToAnswer: clockDuration((answeredAt ?? endedAt) - call.startedAt),
    wholeDuration: clockDuration(endedAt - call.startedAt),
    talkDuration: clockDuration(answeredAt === null ? 0 : endedAt - answeredAt),
    type: call.direction === 'inbound' ? 'InBound' : 'Manual',
    status: answeredAt === null ? 'NotAnswered' : 'Answered',
    dialStatus: answeredAt === null ? 'not_answered' : 'answered',
    audioFile: answeredAt === null ? '' : call.audioFile,
  }
}

function endOfCallData(account: AccountState, call: SandboxCall, absent: string): Record<string, unknown> {
  const facts = callFacts(account, call)
  return {
    monitorUCID: bareNumber(call.ucid),
    UUI: call.uui || absent,
    CampaignName: call.campaign,
    CallerID: nationalNumber(call.customer),
    PhoneName: facts.agent?.agent.phoneName ?? absent,
    Skill: call.direction === 'inbound' ? call.skill : absent,
    StartTime: facts.startTime,
    EndTime: facts.endTime,
    TimeToAnswer: facts.timeToAnswer,
    CallDuration: facts.wholeDuration,
    Duration: facts.talkDuration,
    DialedNumber: facts.agent?.phoneNumber ?? absent,
    Type: facts.type,
    AgentID: facts.agent?.agent.id ?? absent,
    AgentPhoneNumber: facts.agent?.phoneNumber ?? absent,
    AgentUniqueID: facts.agent?.agent.uniqueId ?? absent,
    AgentName: facts.agent?.agent.name ?? absent,
    Disposition: call.disposition || absent,
    HangupBy: call.hangupBy,
    Status: facts.status,
    AudioFile: facts.audioFile || absent,
    TransferType: call.transfer?.type ?? 'No Transfers',
    TransferredTo: call.transfer?.to ?? absent,
    Comments: call.comments || absent,
    DialStatus: facts.dialStatus,
    Apikey: account.account.apiKey,
    AgentStatus: facts.dialStatus,
    CustomerStatus: call.direction === 'inbound' ? 'answered' : facts.dialStatus,
    UserName: account.account.userName,
    ConfDuration: '00:00:00',
    CampaignStatus: 'ONLINE',
  }
}
