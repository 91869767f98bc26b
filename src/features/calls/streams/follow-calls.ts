import type { Actor } from '../../../access/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { addDuration } from '../../../kernel/durations.ts'
import type { CallFacts } from '../../../ports/call-facts.ts'
import { knownCall, type KnownCall } from '../state/call-facts.ts'
import { watchActor } from '../../auth/watch-actor.ts'
import { type Agent, readAgent } from '../../sessions/read-agent.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { isLive, readLiveCalls, readManyFacts } from '../state/call-state-store.ts'
import { isCallOf } from '../state/find-own-call.ts'
import { freshValues, liveBatches } from './live-stream.ts'
import { callTopic } from '../state/update-call.ts'

export type FollowPorts = Pick<
  CallPorts,
  'agentRecordCache' | 'clock' | 'configuration' | 'figures' | 'liveCallReads' | 'notifications' | 'principals' | 'store'
>
/** More live calls than this are shown, but not followed to their end if notifications are missed. */
const maxShown = 2_000
export type LiveCallEvent = { readonly kind: 'SNAPSHOT' | 'CHANGED'; readonly call: KnownCall }

/**
 * Calls as they change: an agent's own, or a manager's whole workspace. The live ones come first. One that goes to another agent comes once more. Ends when `signal` aborts or the token
 * expires. Errors: ROLE_MISSING (neither agent nor manager), OVERLOADED (read too slowly), STORE_UNAVAILABLE.
 */
export async function followCalls(ports: FollowPorts, actor: Actor, signal: AbortSignal): Promise<AsyncIterable<LiveCallEvent>> {
  const scope = await scopeOf(ports, actor)
  return streamCalls(ports, actor, { scope, signal })
}

type Stream = { readonly scope: Scope; readonly signal: AbortSignal }

async function* streamCalls(ports: FollowPorts, actor: Actor, { scope, signal }: Stream): AsyncGenerator<LiveCallEvent> {
  const { workspaceId } = actor.principal
  const isVisible = (call: KnownCall): boolean => scope === 'ALL' || isCallOf(scope, call)
  /** The live calls that the reader has: their end must not be missed. */
  const shown = new Set<string>()
  const batches = liveBatches({
    notifications: ports.notifications,
    topic: callTopic,
    workspaceId,
    audience: scope === 'ALL' ? undefined : [scope.providerAgentId, scope.record.id],
    end: { signal, allowed: watchActor(ports, actor) },
    existing: async () => {
      const live = await ports.liveCallReads.run(workspaceId, () => readLiveCalls(ports, workspaceId))
      return [...new Set([...live.filter(isVisible).map(({ ucid }) => ucid), ...shown])]
    },
  })
  for await (const changes of batches) {
    const first = new Set(changes.flatMap(({ key, isFirst }) => (isFirst ? [key] : [])))
    const keys = changes.map(({ key }) => key)
    for await (const [ucid, facts] of freshValues(ports, keys, (ucids) => readFactsOf(ports, workspaceId, ucids))) {
      const isFirst = first.has(ucid)
      const call = knownCall(ucid, facts)
      if (!isVisible(call) && !shown.has(ucid)) continue
      if (scope !== 'ALL' && !isFirst && !shown.has(ucid)) countScreenPop(ports, call, facts)
      if (isLive(call) && isVisible(call) && (shown.has(ucid) || shown.size < maxShown)) shown.add(ucid)
      else shown.delete(ucid)
      yield { kind: isFirst ? 'SNAPSHOT' : 'CHANGED', call }
    }
  }
}

async function readFactsOf(ports: FollowPorts, workspaceId: string, ucids: readonly string[]): Promise<ReadonlyMap<string, CallFacts>> {
  const read = await readManyFacts(ports, workspaceId, ucids)
  return new Map(ucids.flatMap((ucid, index) => (read[index] ? [[ucid, read[index]] as const] : [])))
}

/** The first event of a ringing call in the agent's stream, measured from the webhook that named the agent. */
function countScreenPop({ clock, figures }: Pick<FollowPorts, 'clock' | 'figures'>, { phase }: KnownCall, { agentId }: CallFacts): void {
  if (phase !== 'RINGING' || agentId?.source !== 'LIVE') return
  addDuration(figures.screenPops, Math.max(0, clock.now() - agentId.rank) / 1_000)
}

/** Whose calls and states an actor may see. */
export type Scope = Agent | 'ALL'

/** Throws ROLE_MISSING for a member who is neither agent nor manager. */
export async function scopeOf(ports: Pick<CallPorts, 'agentRecordCache' | 'configuration'>, actor: Actor): Promise<Scope> {
  if (actor.principal.role === 'MANAGER') return 'ALL'
  const agent = await readAgent(ports, actor)
  if (!agent) throw new AppError('ROLE_MISSING', { detail: 'Only agents and managers see live calls' })
  return agent
}
