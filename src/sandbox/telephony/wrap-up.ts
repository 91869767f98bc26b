import type { Agenda } from '../agenda.ts'
import type { Clock } from '../clock.ts'
import type { AgentPhones } from '../sip/sip.ts'
import type { AccountState, AgentState, Disposal, SandboxCall } from './account.ts'
import type { MoveAgent } from './agents.ts'
import type { ProviderEvents } from './events.ts'

export type CallDeskParts = {
  readonly clock: Clock
  readonly agenda: Agenda
  readonly events: ProviderEvents
  readonly move: MoveAgent
  /** From hanging up to the disposition that the provider sets itself. */
  readonly wrapUpMs: number
  readonly endOfCallDelayMs: number
  /** Null: calls ring nowhere. */
  readonly phones: AgentPhones | null
  /** After how long third parties answer; null: when a command says so. */
  readonly partyRingMs: number | null
}

/** What an agent does after the call, or after leaving it to a third party. */
export function createWrapUp(parts: CallDeskParts) {
  const { agenda, events, move } = parts

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

  const startWrapUp = (account: AccountState, call: SandboxCall): void => {
    const agent = agentOf(account, call)
    if (agent && agent.status !== 'loggedOut') move(account, agent, 'ACW')
    if (call.queued) dispose(account, call, call.queued)
    agenda.after(parts.wrapUpMs, () => wrapUpTimeout(account, call))
  }

  return { startWrapUp, dispose }
}

export function agentOf(account: AccountState, call: SandboxCall): AgentState | undefined {
  return call.agentId === null ? undefined : account.agents.get(call.agentId)
}

/** The end of a call is sent some time after it and with the disposition, unless the account has it sent at once. */
export function sendEndIfDue(events: ProviderEvents, account: AccountState, call: SandboxCall): void {
  const waits = account.habits.endOfCall === 'afterDisposition' && call.answeredAt !== null && call.disposedAt === null
  if (call.phase === 'ended' && !call.endSent && !waits) events.endOfCall(account, call)
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
