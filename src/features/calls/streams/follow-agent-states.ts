import type { Actor } from '../../../access/actor.ts'
import type { AgentActivity } from '../../../ports/agent-activity.ts'
import { asPerson } from '../../../ports/record-access.ts'
import { watchActor } from '../../auth/watch-actor.ts'
import { readAgentStates, readStatesOf } from '../agent-state/agent-state-store.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { type FollowPorts, type Scope, scopeOf } from './follow-calls.ts'
import { freshValues, liveBatches } from './live-stream.ts'
import { agentTopic } from '../state/update-call.ts'

/** `recordId`: the agent's record; null if the actor may not see it. */
export type LiveAgent = { readonly recordId: string | null; readonly providerAgentId: string; readonly activity: AgentActivity }
export type FollowAgentPorts = FollowPorts & Pick<CallPorts, 'agentDirectory'>

/**
 * Agent states as they change: the actor's own, or a manager's whole workspace. The present ones come first. Ends when `signal` aborts or
 * the token expires. Errors: ROLE_MISSING (neither agent nor manager), OVERLOADED (read too slowly), STORE_UNAVAILABLE.
 */
export async function followAgentStates(ports: FollowAgentPorts, actor: Actor, signal: AbortSignal): Promise<AsyncIterable<LiveAgent>> {
  const scope = await scopeOf(ports, actor)
  return streamStates(ports, actor, { scope, signal })
}

type Stream = { readonly scope: Scope; readonly signal: AbortSignal }

async function* streamStates(ports: FollowAgentPorts, actor: Actor, { scope, signal }: Stream): AsyncGenerator<LiveAgent> {
  const { workspaceId } = actor.principal
  const batches = liveBatches({
    notifications: ports.notifications,
    topic: agentTopic,
    workspaceId,
    audience: scope === 'ALL' ? undefined : [scope.providerAgentId],
    end: { signal, allowed: watchActor(ports, actor) },
    existing: async () => (scope === 'ALL' ? [...(await readAgentStates(ports, workspaceId)).keys()] : [scope.providerAgentId]),
  })
  for await (const changes of batches) {
    const agentIds = changes.map(({ key }) => key).filter((agentId) => scope === 'ALL' || scope.providerAgentId === agentId)
    const states = freshValues(ports, agentIds, (ids) => readStatesOf(ports, workspaceId, ids))
    for await (const [providerAgentId, activity] of states) {
      yield { recordId: await recordIdOf(ports, actor, providerAgentId), providerAgentId, activity }
    }
  }
}

async function recordIdOf(
  { agentDirectory }: FollowAgentPorts,
  { principal, accessToken }: Actor,
  providerAgentId: string,
): Promise<string | null> {
  const reading = agentDirectory.recordOf(asPerson(principal.workspaceId, accessToken), providerAgentId)
  return (await reading.catch(() => null))?.id ?? null
}
