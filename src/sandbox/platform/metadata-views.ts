import { requireWorkspace, type Caller, type KeyCaller, type UserCaller } from './callers.ts'
import { type FieldModel, joinColumnOf, type ObjectModel } from './data-model.ts'
import { isJsonObject } from './json.ts'
import { memberRecord, membershipsOf, roleOf } from './members.ts'
import { permissionFlagsOf, permissionsOf } from './roles.ts'
import { issueLoginToken } from './sign-in.ts'
import type { Membership, Role, User } from './state.ts'
import type { LiveWorkspace, World } from './fixtures.ts'

/** How the metadata schema shows what the stand-in knows; members that are functions are read only when selected. */

export function userView(world: World, caller: Exclude<Caller, KeyCaller | { kind: 'nobody' }>) {
  const { user } = caller
  const own = caller.kind === 'user' ? caller : null
  return {
    ...user,
    locale: 'en',
    hasPassword: true,
    onboardingStatus: user.firstName === '' ? 'PROFILE_CREATION' : 'COMPLETED',
    workspaceMember: () => own && memberView(world, own.workspace, own.membership),
    currentWorkspace: () => own && workspaceView(world, own.workspace),
    currentUserWorkspace: () => own && userWorkspaceView(own),
    workspaces: () => userWorkspacesOf(world, user),
    userWorkspaces: () => userWorkspacesOf(world, user),
    workspaceMembers: () => own && membershipsOf(world, own.workspace.id).map((other) => memberView(world, own.workspace, other)),
    availableWorkspaces: () => availableWorkspaces(world, user),
  }
}

function userWorkspacesOf(world: World, user: User) {
  return [...world.state.memberships.values()]
    .filter(({ userId }) => userId === user.id)
    .map((membership) => ({ ...membership, locale: 'en' }))
}

function userWorkspaceView({ membership, role, workspace }: UserCaller) {
  const permissions = () => workspace.model.objects().map((object) => permissionsOf(role, object.id))
  const flags = permissionFlagsOf(role)
  return { ...membership, locale: 'en', permissionFlags: flags, objectPermissions: permissions, objectsPermissions: permissions }
}

export async function availableWorkspaces(world: World, user: User) {
  const workspaces = userWorkspacesOf(world, user).flatMap(({ workspaceId }) => world.workspace(workspaceId) ?? [])
  const forSignIn = workspaces.map(async (workspace) => ({
    id: workspace.id,
    displayName: workspace.row().displayName,
    loginToken: (await issueLoginToken(world, user, workspace)).token,
    personalInviteToken: null,
    inviteHash: null,
    workspaceUrls: urlsOf(world, workspace),
    logo: '',
    sso: [],
  }))
  return { availableWorkspacesForSignIn: await Promise.all(forSignIn), availableWorkspacesForSignUp: [] }
}

export function urlsOf(world: World, workspace: LiveWorkspace) {
  return { subdomainUrl: world.frontendOf(workspace.row()), customUrl: null }
}

export function memberView(world: World, workspace: LiveWorkspace, membership: Membership) {
  const record = memberRecord(workspace, membership)
  const name = isJsonObject(record['name']) ? record['name'] : {}
  return {
    id: record.id,
    name: { firstName: name['firstName'] ?? '', lastName: name['lastName'] ?? '' },
    userEmail: record['userEmail'] ?? '',
    userWorkspaceId: membership.id,
    avatarUrl: record['avatarUrl'] ?? '',
    locale: record['locale'],
    timeZone: record['timeZone'],
    colorScheme: record['colorScheme'] ?? 'System',
    roles: () => [roleView(world, workspace, roleOf(world, membership))],
  }
}

export function roleView(world: World, workspace: LiveWorkspace, role: Role) {
  return {
    ...role,
    permissionFlags: [],
    workspaceMembers: () =>
      membershipsOf(world, workspace.id)
        .filter(({ roleId }) => roleId === role.id)
        .map((membership) => memberView(world, workspace, membership)),
  }
}

export function workspaceView(world: World, workspace: LiveWorkspace) {
  const row = workspace.row()
  const defaultRole = world.state.roles.get(row.defaultRoleId)
  return {
    ...row,
    activationStatus: 'ACTIVE',
    allowImpersonation: true,
    customDomain: null,
    logo: '',
    metadataVersion: workspace.model.version,
    workspaceUrls: urlsOf(world, workspace),
    workspaceMembersCount: () => membershipsOf(world, workspace.id).length,
    defaultRole: () => defaultRole && roleView(world, workspace, defaultRole),
  }
}

export function objectView(workspace: LiveWorkspace, object: ObjectModel): Readonly<Record<string, unknown>> {
  const fields = () => object.fields.map((field) => fieldView(workspace, object, field))
  return {
    ...object,
    isActive: true,
    isRemote: false,
    isSearchable: !object.isSystem,
    labelIdentifierFieldMetadataId: object.fields.find(({ name }) => name === object.labelField)?.id ?? null,
    fieldsList: fields,
    fields: (args: unknown) => connectionView(fields(), pageSizeOf(args)),
  }
}

export function fieldView(workspace: LiveWorkspace, object: ObjectModel, field: FieldModel): Readonly<Record<string, unknown>> {
  return {
    ...field,
    isActive: true,
    description: null,
    icon: null,
    objectMetadataId: object.id,
    object: () => objectView(workspace, object),
    settings:
      field.relation?.type === 'MANY_TO_ONE'
        ? { onDelete: 'SET_NULL', relationType: 'MANY_TO_ONE', joinColumnName: joinColumnOf(field.name) }
        : field.relation
          ? { relationType: 'ONE_TO_MANY' }
          : (field.settings ?? null),
    relation: () => relationView(workspace, object, field),
  }
}

function relationView(workspace: LiveWorkspace, object: ObjectModel, field: FieldModel) {
  const target = field.relation && workspace.model.object(field.relation.target)
  const targetField = target?.fields.find(({ name }) => name === field.relation?.targetField)
  if (!field.relation || !target || !targetField) return null
  return {
    type: field.relation.type,
    sourceObjectMetadata: objectView(workspace, object),
    targetObjectMetadata: objectView(workspace, target),
    sourceFieldMetadata: fieldView(workspace, object, field),
    targetFieldMetadata: fieldView(workspace, target, targetField),
  }
}

/** A connection with array cursors, as the metadata endpoint pages. */
export function connectionView(rows: readonly unknown[], { first, after }: { first: number; after: number }) {
  const cursor = (index: number): string => Buffer.from(`arrayconnection:${index}`).toString('base64')
  const edges = rows.slice(after + 1, after + 1 + first).map((node, index) => ({ node, cursor: cursor(after + 1 + index) }))
  return {
    edges,
    pageInfo: {
      hasNextPage: after + 1 + first < rows.length,
      hasPreviousPage: after >= 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}

export function pageSizeOf(args: unknown): { first: number; after: number } {
  const paging = isJsonObject(args) && isJsonObject(args['paging']) ? args['paging'] : {}
  const { first, after } = paging
  const index = typeof after === 'string' ? Number(/^arrayconnection:(\d+)$/.exec(Buffer.from(after, 'base64').toString())?.[1] ?? -1) : -1
  return { first: typeof first === 'number' ? first : 10, after: index }
}

export function workspaceOf(caller: Caller): LiveWorkspace {
  return requireWorkspace(caller).workspace
}
