import { graphql, type ResultOf } from '../../../data/graphql.ts'

const memberFields = graphql(`
  fragment MemberFields on TeamMember {
    id
    email
    firstName
    lastName
    role
    platformRole
    agentId
    agent {
      id
      sipExtension
      providerAgentId
      campaignName
    }
    session {
      id
      lockedAt
    }
    hasTemporaryPassword
    createdAt
  }
`)
export type TeamMember = ResultOf<typeof memberFields>

export const membersDocument = graphql(
  `
    query TeamMembers($search: String, $after: String) {
      teamMembers(first: 50, search: $search, after: $after) {
        nodes {
          ...MemberFields
        }
        pageInfo {
          hasNextPage
          endCursor
        }
        totalCount
        inviteLinkLeftOpenSince
      }
    }
  `,
  [memberFields],
)
export type Members = ResultOf<typeof membersDocument>['teamMembers']

export const createMember = graphql(
  `
    mutation CreateTeamMember($input: NewTeamMember!) {
      createTeamMember(input: $input) {
        member {
          ...MemberFields
        }
      }
    }
  `,
  [memberFields],
)
export const updateMember = graphql(
  `
    mutation UpdateTeamMember($id: ID!, $change: TeamMemberChange!) {
      updateTeamMember(id: $id, change: $change) {
        member {
          ...MemberFields
        }
      }
    }
  `,
  [memberFields],
)
export const deactivateMember = graphql(`
  mutation DeactivateTeamMember($id: ID!) {
    deactivateTeamMember(id: $id) {
      memberId
      sessionEnded
    }
  }
`)
export const passwordDocument = graphql(`
  query TemporaryPassword($memberId: ID!) {
    temporaryPassword(memberId: $memberId) {
      id
      password
      expiresAt
      usedAt
    }
  }
`)

export function nameOf({ firstName, lastName, email }: Pick<TeamMember, 'firstName' | 'lastName' | 'email'>): string {
  return [firstName, lastName].filter((part) => part !== '').join(' ') || email
}
