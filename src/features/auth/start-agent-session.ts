import type { RequestContext } from '../../access/request-context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { SessionPorts } from '../sessions/session-ports.ts'
import type { TakeOverWish } from '../sessions/lock-agent.ts'
import { type StartedSession, startSession } from '../sessions/start-session.ts'
import type { AuthState } from './auth-ports.ts'
import { limitSignIns } from './limit-sign-ins.ts'
import { readClaims } from '../../access/token-claims.ts'

export type AgentSessionStart = Pick<StartedSession, 'session' | 'agent' | 'sip' | 'telephony'>

/**
 * Starts the agent session of a member who has an access token, however they signed in (single sign-on, a second factor). With
 * `takeOver` the member's own session on another device ends; another member's never does. Errors: NOT_FOUND (no agent record), NOT_YOURS (the token is
 * an administrator's who acts as the member), SESSION_LOCKED (`data.own`: whether it can be taken over), SESSION_TAKEN_OVER,
 * STORE_UNAVAILABLE, OVERLOADED, those of the platform.
 */
export function startAgentSession(
  ports: SessionPorts & Pick<AuthState, 'logInBulkhead'>,
  context: Pick<RequestContext, 'actor' | 'signal' | 'afterAnswer' | 'allowAtLeast'>,
  wanted: TakeOverWish,
): Promise<AgentSessionStart> {
  return limitSignIns(ports, context, async () => {
    const actor = await context.actor()
    if (readClaims(actor.accessToken)?.isImpersonated) {
      throw new AppError('NOT_YOURS', {
        detail: 'An agent session belongs to the agent alone: it cannot be started on behalf of somebody else',
      })
    }
    const { record } = await ports.agentRecordCache.ofMember(actor.principal, actor.accessToken)
    if (!record) throw new AppError('NOT_FOUND', { detail: 'You have no agent record; a manager can create one (updateTeamMember)' })
    const started = await startSession(ports, actor, { record, signal: context.signal, wanted })
    context.afterAnswer((sent) => void (sent ? started.confirm() : started.abandon()))
    return started
  })
}
