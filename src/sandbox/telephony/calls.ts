import type { Clock } from '../clock.ts'
import type { Agenda } from '../agenda.ts'
import type { AccountState, AgentState, Disposal, SandboxCall } from './account.ts'
import type { MoveAgent } from './agents.ts'
import type { ProviderEvents } from './events.ts'

/** The steps of a call. Each step changes the call and its agent, and sends the service an event. */
export interface CallDesk {
  /** A call that begins to ring. Without an agent it waits in the queue until the caller gives up. */
  begin(account: AccountState, call: NewCall): SandboxCall
  answer(account: AccountState, call: SandboxCall, msAgo?: number): void
  end(account: AccountState, call: SandboxCall, by: HangupBy): void
  /** Saves a disposition after the call. */
  dispose(account: AccountState, call: SandboxCall, disposal: Disposal): void
}

export type HangupBy = 'UserHangup' | 'AgentHangup'

export type NewCall = Pick<SandboxCall, 'direction' | 'customer' | 'did' | 'campaign' | 'skill' | 'uui' | 'agentId' | 'audioFile'> & {
  /** How long before now it began; for calls that are played at once. */
  readonly begunMsAgo?: number
}

export type CallDeskParts = {
  readonly clock: Clock
  readonly agenda: Agenda
  readonly events: ProviderEvents
  readonly move: MoveAgent
  /** From hanging up to the disposition that the provider sets itself. */
  readonly wrapUpMs: number
  readonly endOfCallDelayMs: number
}

export function createCallDesk(parts: CallDeskParts): CallDesk {
  const { clock, agenda, events, move } = parts

  /** Only from the wrap-up of this very call: the agent may have gone on meanwhile. */
  const release = (account: AccountState, call: SandboxCall, pauseReason: string): void => {
    const agent = agentOf(account, call)
    if (agent?.status !== 'ACW' || agent.ucid !== call.ucid) return
    move(account, agent, 'release')
    agent.pauseReason = pauseReason
    move(account, agent, pauseReason === '' ? 'IDLE' : 'pause')
  }

  const dispose = (account: AccountState, call: SandboxCall, disposal: Disposal): void => {
    record(parts, { account, call }, disposal)
    if (disposal.autoRelease || disposal.pauseReason !== '') release(account, call, disposal.pauseReason)
    agenda.after(parts.endOfCallDelayMs, () => sendEndIfDue(events, account, call))
  }

  const wrapUpTimeout = (account: AccountState, call: SandboxCall): void => {
    release(account, call, '')
    if (call.disposedAt !== null) return
    record(parts, { account, call }, { disposition: `Wrap up time exceeded :${parts.wrapUpMs / 1000}`, comments: '', callBackTime: '' })
    sendEndIfDue(events, account, call)
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
      return call
    },
    answer(account, call, msAgo = 0) {
      call.phase = 'talking'
      call.answeredAt = clock.now() - msAgo
      const agent = agentOf(account, call)
      events.call(account, call, 'Answered')
      if (agent) move(account, agent, 'incall')
    },
    end(account, call, by) {
      call.phase = 'ended'
      call.endedAt = clock.now()
      call.hangupBy = by
      events.call(account, call, 'Disconnect')
      const agent = agentOf(account, call)
      const answered = call.answeredAt !== null
      if (agent && agent.status !== 'loggedOut') move(account, agent, answered ? 'ACW' : 'IDLE')
      if (answered && call.queued) dispose(account, call, call.queued)
      if (answered) agenda.after(parts.wrapUpMs, () => wrapUpTimeout(account, call))
      const atOnce = account.habits.endOfCall === 'atOnce'
      agenda.after(atOnce ? 0 : parts.endOfCallDelayMs, () => sendEndIfDue(events, account, call))
    },
    dispose,
  }
}

function agentOf(account: AccountState, call: SandboxCall): AgentState | undefined {
  return call.agentId === null ? undefined : account.agents.get(call.agentId)
}

/** The end of a call is sent some time after it and with the disposition, unless the account has it sent at once. */
function sendEndIfDue(events: ProviderEvents, account: AccountState, call: SandboxCall): void {
  const waits = account.habits.endOfCall === 'afterDisposition' && call.answeredAt !== null && call.disposedAt === null
  if (!call.endSent && !waits) events.endOfCall(account, call)
}

function record(
  { clock, events }: Pick<CallDeskParts, 'clock' | 'events'>,
  { account, call }: { readonly account: AccountState; readonly call: SandboxCall },
  disposal: Pick<Disposal, 'disposition' | 'comments' | 'callBackTime'>,
): void {
  Object.assign(call, { disposition: disposal.disposition, comments: disposal.comments, callBackTime: disposal.callBackTime })
  call.disposedAt = clock.now()
  if (call.endSent) events.endOfCall(account, call)
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
