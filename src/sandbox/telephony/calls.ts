import type { SipCall } from '../sip/calls.ts'
import type { PhoneCall } from '../sip/dialog.ts'
import type { AccountState, Disposal, SandboxCall } from './account.ts'
import { sameNumber } from './wire.ts'
import { agentOf, type CallDeskParts, createWrapUp, sendEndIfDue } from './wrap-up.ts'

/** The steps of a call. Each step changes the call and its agent, and sends the service an event. */
export interface CallDesk {
  /** A call that begins to ring. Without an agent it waits in the queue until the caller gives up. */
  begin(account: AccountState, call: NewCall): SandboxCall
  answer(account: AccountState, call: SandboxCall, msAgo?: number): void
  end(account: AccountState, call: SandboxCall, by: HangupBy): void
  /** A third party begins to ring. The same number again rings again. */
  addParty(call: SandboxCall, number: string): void
  /** A third party hangs up or is removed. False if it is not in the call. */
  dropParty(account: AccountState, call: SandboxCall, number: string): boolean
  /** The agent hangs up or is removed: the call goes on if a third party talks with the customer, else it ends. */
  leave(account: AccountState, call: SandboxCall): void
  /** Whether the agent's phone at the SIP server has it. */
  isAtPhone(call: SandboxCall): boolean
  /** Saves a disposition after the call. */
  dispose(account: AccountState, call: SandboxCall, disposal: Disposal): void
}

export type HangupBy = 'UserHangup' | 'AgentHangup'

export type NewCall = Pick<SandboxCall, 'direction' | 'customer' | 'did' | 'campaign' | 'skill' | 'uui' | 'agentId' | 'audioFile'> & {
  /** How long before now it began; for calls that are played at once. */
  readonly begunMsAgo?: number
}

export function createCallDesk(parts: CallDeskParts): CallDesk {
  const { clock, agenda, events, move } = parts
  const { startWrapUp, dispose } = createWrapUp(parts)
  const rung = new Map<SandboxCall, SipCall>()

  const end = (account: AccountState, call: SandboxCall, by: HangupBy): void => {
    Object.assign(call, { phase: 'ended', endedAt: clock.now(), hangupBy: by })
    events.call(account, call, 'Disconnect')
    rung.get(call)?.hangUp()
    rung.delete(call)
    const agent = agentOf(account, call)
    if (call.answeredAt === null && agent && agent.status !== 'loggedOut') move(account, agent, 'IDLE')
    if (call.answeredAt !== null && !call.agentLeft) startWrapUp(account, call)
    const atOnce = account.habits.endOfCall === 'atOnce'
    agenda.after(atOnce ? 0 : parts.endOfCallDelayMs, () => sendEndIfDue(events, account, call))
  }

  const answer = (account: AccountState, call: SandboxCall, msAgo = 0): void => {
    call.phase = 'talking'
    call.answeredAt = clock.now() - msAgo
    const agent = agentOf(account, call)
    events.call(account, call, 'Answered')
    if (agent) move(account, agent, 'incall')
    // An inbound call that a command answers was taken on another phone.
    if (call.direction === 'inbound') rung.get(call)?.cancel()
  }

  const leave = (account: AccountState, call: SandboxCall): void => {
    if (!hasCompany(call)) return end(account, call, 'AgentHangup')
    call.agentLeft = true
    rung.get(call)?.hangUp()
    startWrapUp(account, call)
  }

  return {
    begin(account, { begunMsAgo = 0, ...facts }) {
      const now = clock.now()
      const call: SandboxCall = { ...unstartedCall(), ...facts, ucid: newUcid(now), legUcid: newUcid(now), startedAt: now - begunMsAgo }
      account.calls.set(call.ucid, call)
      const agent = agentOf(account, call)
      events.call(account, call, 'Calling')
      if (agent) agent.ucid = call.ucid
      if (agent) move(account, agent, 'calling')
      const phone = agent ? parts.phones?.ring(agent.phoneNumber, phoneCall({ answer, end, leave }, account, call)) : null
      if (phone) rung.set(call, phone)
      return call
    },
    answer,
    end,
    addParty(call, number) {
      const party = { number, hasAnswered: false }
      call.conference.push(party)
      if (parts.partyRingMs !== null) agenda.after(parts.partyRingMs, () => (party.hasAnswered = true))
    },
    dropParty(account, call, number) {
      const isPresent = call.conference.some((party) => sameNumber(party.number, number))
      call.conference = call.conference.filter((party) => !sameNumber(party.number, number))
      if (call.agentLeft && call.phase !== 'ended' && !hasCompany(call)) end(account, call, 'UserHangup')
      return isPresent
    },
    leave,
    isAtPhone: (call) => rung.get(call)?.phase() === 'talking',
    dispose,
  }
}

/** What a call does when the agent's own phone answers it or ends it. */
function phoneCall(
  { answer, end, leave }: Pick<CallDesk, 'answer' | 'end' | 'leave'>,
  account: AccountState,
  call: SandboxCall,
): PhoneCall {
  return {
    from: call.customer,
    isAudible: () => call.phase === 'talking' && !call.held && !call.muted,
    onAnswer: () => call.direction === 'inbound' && call.phase === 'ringing' && answer(account, call),
    onEnd(why) {
      if (call.phase === 'ended' || call.agentLeft) return
      if (why === 'LOST') end(account, call, 'UserHangup')
      else leave(account, call)
    },
  }
}

/** Whether a third party talks with the customer. */
function hasCompany(call: SandboxCall): boolean {
  return call.conference.some(({ hasAnswered }) => hasAnswered)
}

function unstartedCall() {
  return {
    phase: 'ringing',
    answeredAt: null,
    endedAt: null,
    hangupBy: '',
    held: false,
    muted: false,
    recording: 'on',
    conference: [],
    agentLeft: false,
    transfer: null,
    queued: null,
    disposition: '',
    comments: '',
    callBackTime: '',
    disposedAt: null,
    endSent: false,
  } satisfies Partial<SandboxCall>
}

let lastNumber = 1

/** 17 digits, odd: above 2^53 such a number is changed by every parser that makes a double of it. */
function newUcid(now: number): string {
  lastNumber = (lastNumber + 2) % 1_000_000
  return `3${String(Math.floor(now / 1000) % 10_000_000_000).padStart(10, '0')}${String(lastNumber).padStart(6, '0')}`
}
