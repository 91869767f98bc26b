import { useCallback, useMemo } from 'react'
import { useQuery } from 'urql'
import { agentStatesLive, type AgentPresence } from '../data/agent-states.ts'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useLive } from '../data/live.ts'
import { useAction } from '../data/use-action.ts'
import { useMember } from '../session/session.ts'

const callSettingsDocument = graphql(`
  query CallSettings {
    callSettings {
      id
      dispositions
      notReadyReasons
      wrapUpSeconds
      capabilities
    }
  }
`)

const setStateDocument = graphql(`
  mutation SetAgentState($input: AgentStateInput!) {
    setAgentState(input: $input) {
      id
      state
      reason
      since
    }
  }
`)

type CallSettings = Omit<ResultOf<typeof callSettingsDocument>['callSettings'], 'id'>
const noSettings: CallSettings = { dispositions: [], notReadyReasons: [], wrapUpSeconds: null, capabilities: [] }

/** What the workspace lets its agents choose, and what the provider can do. Empty until it is loaded. */
export function useCallSettings(): CallSettings {
  const [{ data }] = useQuery({ query: callSettingsDocument, requestPolicy: 'cache-first' })
  return data?.callSettings ?? noSettings
}

/** The signed-in agent at the telephony provider. Null until it is known, and for who is no agent. */
export function useOwnPresence(): AgentPresence | null {
  const { agent } = useMember()
  const { state } = useLive(agentStatesLive)
  return state.get(agent?.providerAgentId ?? '') ?? null
}

export type StateChoice = { readonly state: 'READY' } | { readonly state: 'NOT_READY'; readonly reason: string }

export function useStateChange() {
  const { run, isPending } = useAction(setStateDocument)
  const change = useCallback((input: StateChoice) => run({ input }), [run])
  return useMemo(() => ({ change, isPending }), [change, isPending])
}
