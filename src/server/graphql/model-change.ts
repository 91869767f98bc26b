import { readClaims } from '../../access/token-claims.ts'
import type { HttpContext } from '../http/http-context.ts'
import { bearerToken } from '../http/request-context.ts'
import type { EndpointFields } from './endpoint-fields.ts'
import type { WorkspaceSchemas } from './stitching/workspace-schemas.ts'

/** The platform's mutations, in all versions up to 2.21, after which a workspace may have other objects or fields. */
export const modelMutations: ReadonlySet<string> = new Set([
  'createOneObject',
  'updateOneObject',
  'deleteOneObject',
  'createOneField',
  'updateOneField',
  'deleteOneField',
  'createOneRelation',
  'deleteOneRelation',
  'activateWorkspace',
  'installApplication',
  'installMarketplaceApp',
  'uninstallApplication',
  'upgradeApplication',
  'syncApplication',
])

/** Reads what is cached of the workspace's schema again. The workspace is the one that the token names. */
export type OnModelChange = (ctx: HttpContext) => void

export function modelChangeOf(fields: Pick<EndpointFields, 'forget'>, schemas: Pick<WorkspaceSchemas, 'modelChanged'>): OnModelChange {
  return ({ request, requestId }) => {
    const accessToken = bearerToken(request.headers.authorization)
    const workspaceId = accessToken === null ? null : (readClaims(accessToken)?.workspaceId ?? null)
    if (accessToken === null || workspaceId === null) return
    fields.forget(workspaceId)
    schemas.modelChanged({ workspaceId, accessToken, requestId })
  }
}
