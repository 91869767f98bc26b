/**
 * Who reads and writes records of the platform: a person, with their own token and rights; or the service, with the workspace's API key,
 * whose few requests a minute are shared by lanes.
 */
export type RecordAccess = PersonAccess | ServiceAccess

export type PersonAccess = { readonly kind: 'PERSON'; readonly workspaceId: string; readonly accessToken: string }
export type ServiceAccess = { readonly kind: 'SERVICE'; readonly workspaceId: string; readonly lane: ServiceLane }

/** The first lane goes first, the last one last. */
export const serviceLanes = ['WEBHOOKS', 'INSIGHTS', 'WIDGET', 'RETRIES', 'RECORDINGS'] as const
export type ServiceLane = (typeof serviceLanes)[number]

export function asPerson(workspaceId: string, accessToken: string): PersonAccess {
  return { kind: 'PERSON', workspaceId, accessToken }
}

export function asService(workspaceId: string, lane: ServiceLane): ServiceAccess {
  return { kind: 'SERVICE', workspaceId, lane }
}
