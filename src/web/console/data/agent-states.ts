import { defineLive, withEntry } from './live.ts'
import { graphql, type ResultOf } from './graphql.ts'

const agentStates = graphql(`
  subscription AgentStates {
    agentStates {
      id
      agentId
      providerAgentId
      state
      reason
      since
    }
  }
`)
export type AgentPresence = ResultOf<typeof agentStates>['agentStates']

/** What agents do at the telephony provider, by the provider's ID: an agent gets their own state, a manager all. The shell always follows it. */
export const agentStatesLive = defineLive(agentStates, {
  initial: noStates(),
  reduce: (states, { agentStates: presence }) => withEntry(states, presence.id, presence),
})

function noStates(): ReadonlyMap<string, AgentPresence> {
  return new Map()
}
