import type { z } from 'zod'
import type { RecordRight } from './record-operations.ts'
import { type ObjectPermission, type Role, roleSchema } from './state.ts'
import type { KeptMap } from './storage.ts'

const rights = {
  canReadAllObjectRecords: true,
  canUpdateAllObjectRecords: true,
  canSoftDeleteAllObjectRecords: true,
  canDestroyAllObjectRecords: true,
} as const
const everything = { ...rights, canUpdateAllSettings: true, canAccessAllTools: true } as const

/** Adds the roles of a fresh platform: Admin, Member and Guest. Answers the id of the default role. */
export function addDefaultRoles(roles: KeptMap<Role>, workspaceId: string): string {
  const add = (role: NewRole): Role => addRole(roles, workspaceId, role)
  add({ label: 'Admin', description: 'Admin role', icon: 'IconUserCog', isEditable: false, ...everything })
  const member = add({ label: 'Member', description: 'Member role', icon: 'IconUser', canAccessAllTools: true, ...rights })
  add({ label: 'Guest', description: 'Guest role', icon: 'IconUser', canReadAllObjectRecords: true })
  return member.id
}

/** The roles that a call center adds by hand. */
export function addCallCenterRoles(roles: KeptMap<Role>, workspaceId: string): void {
  addRole(roles, workspaceId, { label: 'Manager', description: 'Runs the call center', icon: 'IconHeadset', ...everything })
  addRole(roles, workspaceId, {
    label: 'User',
    description: 'Works in the call center',
    icon: 'IconUser',
    canReadAllObjectRecords: true,
    canUpdateAllObjectRecords: true,
  })
}

type NewRole = Omit<z.input<typeof roleSchema>, 'id' | 'workspaceId'>

export function addRole(roles: KeptMap<Role>, workspaceId: string, input: NewRole): Role {
  const role = roleSchema.parse({ ...input, workspaceId })
  roles.set(role.id, role)
  return role
}

const grants = {
  read: { all: 'canReadAllObjectRecords', object: 'canReadObjectRecords' },
  update: { all: 'canUpdateAllObjectRecords', object: 'canUpdateObjectRecords' },
  softDelete: { all: 'canSoftDeleteAllObjectRecords', object: 'canSoftDeleteObjectRecords' },
  destroy: { all: 'canDestroyAllObjectRecords', object: 'canDestroyObjectRecords' },
} as const

/** What a role may do to the records of one object: the object's own entry, else the role's general right. */
export function mayDo(role: Role, right: RecordRight, objectId: string): boolean {
  const own = role.objectPermissions.find((permission) => permission.objectMetadataId === objectId)
  return own?.[grants[right].object] ?? role[grants[right].all]
}

/** The objects of the system, such as noteTarget, are open to every role. */
export function mayUse(role: Role, right: RecordRight, { id, isSystem }: { readonly id: string; readonly isSystem: boolean }): boolean {
  return isSystem || mayDo(role, right, id)
}

export function permissionsOf(role: Role, objectId: string): ObjectPermission {
  return {
    objectMetadataId: objectId,
    canReadObjectRecords: mayDo(role, 'read', objectId),
    canUpdateObjectRecords: mayDo(role, 'update', objectId),
    canSoftDeleteObjectRecords: mayDo(role, 'softDelete', objectId),
    canDestroyObjectRecords: mayDo(role, 'destroy', objectId),
  }
}

const settingsFlags = [
  'API_KEYS_AND_WEBHOOKS',
  'WORKSPACE',
  'WORKSPACE_MEMBERS',
  'ROLES',
  'DATA_MODEL',
  'SECURITY',
  'WORKFLOWS',
  'IMPERSONATE',
  'APPLICATIONS',
  'LAYOUTS',
  'BILLING',
  'AI_SETTINGS',
] as const
const toolFlags = [
  'VIEWS',
  'AI',
  'UPLOAD_FILE',
  'DOWNLOAD_FILE',
  'SEND_EMAIL_TOOL',
  'IMPORT_CSV',
  'EXPORT_CSV',
  'PROFILE_INFORMATION',
] as const

export function permissionFlagsOf(role: Role): string[] {
  return [...(role.canUpdateAllSettings ? settingsFlags : []), ...(role.canAccessAllTools ? toolFlags : [])]
}
