import type { EnumOf } from '../../data/graphql.ts'
import { unchanged } from '../../data/unchanged.ts'

export type ShownState = EnumOf<'AgentState'>

/** An agent whose state is not known is not at the phone. */
export function shownState({ state }: { readonly state: ShownState | null }): ShownState {
  return state ?? 'SIGNED_OUT'
}

type Counts = { readonly answered: number; readonly averageHandlingSeconds: number | null }
type Agents<Agent, Call> = {
  readonly agents: readonly Agent[]
  readonly callsNow: { readonly calls: readonly Call[] }
  readonly today: { readonly byAgent: readonly { readonly agentId: string | null; readonly counts: Counts }[] }
}

/** An agent with their call and their figures of today. */
export type Row<Agent, Call> = Agent & { readonly call: Call | null; readonly answered: number; readonly handlingSeconds: number | null }

/** A row of `before` is returned again if nothing in it has changed, so that it is not drawn again. */
export function agentRowsOf<Agent extends { readonly id: string }, Call extends { readonly agentId: string | null }>(
  { agents, callsNow, today }: Agents<Agent, Call>,
  before: readonly Row<Agent, Call>[],
): readonly Row<Agent, Call>[] {
  const calls = new Map(callsNow.calls.toReversed().map((call) => [call.agentId, call]))
  const counts = new Map(today.byAgent.map((row) => [row.agentId, row.counts]))
  const rows = agents.map((agent) => {
    const { answered = 0, averageHandlingSeconds = null } = counts.get(agent.id) ?? {}
    return { ...agent, call: calls.get(agent.id) ?? null, answered, handlingSeconds: averageHandlingSeconds }
  })
  return unchanged(rows, before)
}
