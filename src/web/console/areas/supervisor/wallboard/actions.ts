import { graphql } from '../../../data/graphql.ts'

export const changeState = graphql(`
  mutation ChangeAgentState($agentId: ID!, $input: AgentStateInput!, $message: String) {
    changeAgentState(agentId: $agentId, input: $input, message: $message) {
      id
      state
    }
  }
`)

export const endSession = graphql(`
  mutation EndAgentSession($agentId: ID!, $reason: String!) {
    releaseAgentSession(agentId: $agentId, reason: $reason) {
      released
      providerSignedOut
    }
  }
`)

export const assignPerson = graphql(`
  mutation AssignPerson($id: ID!, $agentId: ID, $endClaim: Boolean!, $message: String) {
    assignWorklistEntry(id: $id, agentId: $agentId, endClaim: $endClaim, message: $message) {
      id
      claim {
        id
        agentId
      }
      assignee {
        id
        agentId
        name
      }
    }
  }
`)

/** The longest message to an agent. */
export const messageLength = 500
