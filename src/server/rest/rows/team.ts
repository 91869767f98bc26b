import { mutation, query } from '../row.ts'

const failures = ['PLATFORM_REFUSED', 'PROVIDER_UNAVAILABLE', 'STORE_UNAVAILABLE'] as const
const busy = 'OVERLOADED'

export const teamRows = [
  query('teamMembers', {
    method: 'GET',
    path: '/api/team/members',
    arguments: { first: 'query.first', after: 'query.after', search: 'query.search' },
    listName: 'members',
    summary: 'The members of the workspace, newest first',
    refusals: failures,
  }),
  mutation('createTeamMember', {
    method: 'POST',
    path: '/api/team/members',
    arguments: { input: 'body' },
    summary: 'Create a member without sending an e-mail',
    refusals: [...failures, 'WRONG_STATE', 'NOT_CONFIGURED', busy],
  }),
  mutation('updateTeamMember', {
    method: 'PUT',
    path: '/api/team/members/{id}',
    arguments: { id: 'path.id', change: 'body' },
    summary: "Change a member's name, role or agent record. Fields that are left out stay unchanged",
    refusals: [...failures, 'NOT_FOUND', 'WRONG_STATE', 'NOT_CONFIGURED', busy],
  }),
  mutation('deactivateTeamMember', {
    method: 'DELETE',
    path: '/api/team/members/{id}',
    arguments: { id: 'path.id' },
    summary: 'Remove a member from the workspace and end their agent session at once',
    refusals: [...failures, 'NOT_FOUND', 'WRONG_STATE', busy],
  }),
  query('temporaryPassword', {
    method: 'GET',
    path: '/api/team/members/{id}/temporary-password',
    arguments: { memberId: 'path.id' },
    summary: 'The temporary password of a new member. The audit log records every request',
    refusals: [...failures, 'NOT_FOUND'],
  }),
]
