import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import type { AccountState, AgentAction, AgentState, AgentStatus } from './account.ts'
import type { AcceptedRequest } from './authentication.ts'
import { formFields, headerOf, textOf, wireAnswer } from './wire.ts'

/** Changes an agent's state, and sends the service an event with the name of the action. */
export type MoveAgent = (account: AccountState, agent: AgentState, action: AgentAction) => void

/** With a call: the provider refuses changes of the state then, and rings no other call. */
export const busy: ReadonlySet<AgentStatus> = new Set(['calling', 'incall'])

function failure(message: string): StandInAnswer {
  return wireAnswer({ status: 'error', message })
}

/** `POST /CAServices/AgentAuthenticationV2/index.php`: HTTP Basic names the agent, the form names the account. */
export function authenticateAgent(accounts: readonly AccountState[], move: MoveAgent) {
  return (request: StandInRequest): StandInAnswer => {
    const form = formFields(request)
    const account = accounts.find(({ account }) => account.userName === textOf(form, 'userName'))
    if (!account || account.account.apiKey !== textOf(form, 'apiKey')) return failure('Invalid userName or apiKey')
    const agent = agentOf(account, headerOf(request, 'authorization'))
    if (!agent) return failure('Invalid Authentication')
    const action = textOf(form, 'action').toLowerCase()
    if (action === 'login') return login(account, agent, { phoneNumber: textOf(form, 'phoneNumber'), move })
    if (action === 'logout') return logout(account, agent, move)
    return failure('Invalid action')
  }
}

function agentOf(account: AccountState, authorization: string): AgentState | null {
  const encoded = /^Basic (.+)$/.exec(authorization)?.[1]
  if (!encoded) return null
  const credentials = Buffer.from(encoded, 'base64').toString()
  const colon = credentials.indexOf(':')
  const agent = account.agents.get(credentials.slice(0, colon))
  return colon > 0 && agent?.agent.password === credentials.slice(colon + 1) ? agent : null
}

type Login = { readonly phoneNumber: string; readonly move: MoveAgent }

function login(account: AccountState, agent: AgentState, { phoneNumber, move }: Login): StandInAnswer {
  if (phoneNumber === '') return failure('phoneNumber should not be empty')
  const other = [...account.agents.values()].find(
    (candidate) => candidate !== agent && candidate.status !== 'loggedOut' && candidate.phoneNumber === phoneNumber,
  )
  if (other) return failure(`${other.agent.id} logged in with the number (${phoneNumber})`)
  if (agent.status !== 'loggedOut') return failure('Agent has already logged in')
  agent.phoneNumber = phoneNumber
  move(account, agent, 'login')
  move(account, agent, 'AUX')
  return wireAnswer({ status: 'success', message: `Agent ${agent.agent.id} logged in successfully` })
}

function logout(account: AccountState, agent: AgentState, move: MoveAgent): StandInAnswer {
  if (agent.status === 'loggedOut') return failure(`Agent ${agent.agent.id} is not logged in`)
  move(account, agent, 'logout')
  return wireAnswer({ status: 'success', message: `Agent ${agent.agent.id} logged out successfully` })
}

/** `POST /ca_apis/changeAgentState`. A refusal has its text in `Message` if the agent's state forbids the change. */
export function changeAgentState({ account, fields }: AcceptedRequest, move: MoveAgent): StandInAnswer {
  const agent = account.agents.get(textOf(fields, 'agentId'))
  const state = textOf(fields, 'state')
  if (state !== 'Ready' && state !== 'Pause') return failure("The state should be either 'Ready' or 'Pause' state")
  const reason = textOf(fields, 'pauseReason')
  if (state === 'Pause' && !account.account.pauseReasons.includes(reason)) return failure('pauseReason is Invalid')
  if (!agent || agent.status === 'loggedOut') return failure('Agent is not Logged In')
  const hindrance = busy.has(agent.status) ? 'BUSY' : state === 'Pause' && agent.status === 'ACW' ? 'ACW' : null
  if (hindrance) {
    return wireAnswer({
      status: 'error',
      Message: `Agent ${agent.agent.id} is in ${hindrance} state. You cant change to ${state} state`,
    })
  }
  if (agent.status === 'ACW') move(account, agent, 'release')
  agent.pauseReason = reason
  move(account, agent, state === 'Ready' ? 'IDLE' : 'pause')
  return wireAnswer({ status: 'success', message: stateMessage(agent, state) })
}

function stateMessage(agent: AgentState, state: 'Ready' | 'Pause'): string {
  const action = state === 'Ready' ? 'tbAgentReady' : 'tbAgentPause'
  return JSON.stringify({
    type: 'response',
    utid: '22',
    resp: `Success:${action}~INBOUND`,
    agentStatus: state === 'Ready' ? 'READY' : 'PAUSED',
    agentId: agent.agent.uniqueId,
    user: agent.agent.id,
  })
}
