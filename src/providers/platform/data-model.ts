import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import type { DataModel, ExistingObject, NewField, NewObject } from '../../ports/data-model.ts'
import type { PlatformEndpoint } from './endpoint.ts'
import type { ObjectShapes } from './object-shapes.ts'
import { showColumns } from './show-columns.ts'

const fieldSchema = z.object({
  name: z.string(),
  type: z.string(),
  isActive: z.boolean().nullish(),
  options: z.array(z.object({ value: z.string() })).nullish(),
  relation: z.object({ type: z.string(), targetObjectMetadata: z.object({ nameSingular: z.string() }) }).nullish(),
})
const objectsAnswer = z.object({
  objects: z.object({
    edges: z.array(
      z.object({
        node: z.object({
          id: z.string(),
          nameSingular: z.string(),
          namePlural: z.string(),
          isActive: z.boolean(),
          fields: z.object({ edges: z.array(z.object({ node: fieldSchema })) }),
        }),
      }),
    ),
  }),
})
const rolesAnswer = z.object({ getRoles: z.array(z.object({ id: z.string(), label: z.string() })) })
const rightsAnswer = z.object({
  getRoles: z.array(
    z.object({
      label: z.string(),
      canUpdateAllObjectRecords: z.boolean(),
      objectPermissions: z.array(z.object({ objectMetadataId: z.string(), canUpdateObjectRecords: z.boolean().nullish() })).nullish(),
    }),
  ),
})
const permissionsAnswer = z.object({ upsertObjectPermissions: z.array(z.object({ objectMetadataId: z.string() })) })
const createdAnswer = z.object({ created: z.object({ id: z.string() }) })

/** The longest page of the data model; workspaces have some dozens of objects. */
const pageSize = 1_000
const objectsDocument = `query DataModel {
  objects(paging: { first: ${pageSize} }) {
    edges { node {
      id nameSingular namePlural isActive
      fields(paging: { first: ${pageSize} }) { edges { node {
        name type isActive options relation { type targetObjectMetadata { nameSingular } }
      } } }
    } }
  }
}`
const rolesDocument = 'query Roles { getRoles { id label } }'
const createObjectDocument = `mutation CreateObject($input: CreateOneObjectInput!) { created: createOneObject(input: $input) { id } }`
const createFieldDocument = `mutation CreateField($input: CreateOneFieldMetadataInput!) { created: createOneField(input: $input) { id } }`
const createRoleDocument = `mutation CreateRole($input: CreateRoleInput!) { created: createOneRole(createRoleInput: $input) { id } }`
const rightsDocument =
  'query Rights { getRoles { label canUpdateAllObjectRecords objectPermissions { objectMetadataId canUpdateObjectRecords } } }'
const permissionsDocument = `mutation SetPermissions($input: UpsertObjectPermissionsInput!) {
  upsertObjectPermissions(upsertObjectPermissionsInput: $input) { objectMetadataId }
}`

/** The data model on the platform's metadata endpoint (Twenty 1.3 to 2.21; custom objects as recorded on 2.21). */
export function createDataModel(endpoint: PlatformEndpoint, shapes: Pick<ObjectShapes, 'invalidateAll'>): DataModel {
  const create = async (accessToken: string, document: string, input: object): Promise<string> => {
    const request = { endpoint: 'metadata', document, variables: { input }, accessToken, answer: createdAnswer } as const
    return (await endpoint.request(request).finally(() => shapes.invalidateAll())).created.id
  }
  const rolesOf = async (accessToken: string) =>
    (await endpoint.request({ endpoint: 'metadata', document: rolesDocument, accessToken, answer: rolesAnswer })).getRoles
  return {
    async objects(accessToken) {
      const { objects } = await endpoint.request({ endpoint: 'metadata', document: objectsDocument, accessToken, answer: objectsAnswer })
      return objects.edges.map(({ node }): ExistingObject => ({
        id: node.id,
        singular: node.nameSingular,
        plural: node.namePlural,
        isActive: node.isActive,
        fields: node.fields.edges.map(({ node: { name, type, isActive, options, relation } }) => ({
          name,
          type,
          isActive: isActive ?? true,
          options: (options ?? []).map(({ value }) => value),
          target: relation?.type === 'MANY_TO_ONE' ? relation.targetObjectMetadata.nameSingular : null,
        })),
      }))
    },
    roles: async (accessToken) => (await rolesOf(accessToken)).map(({ label }) => label),
    createObject: (accessToken, object) => create(accessToken, createObjectDocument, { object: objectInput(object) }),
    createField: async (accessToken, field) => void (await create(accessToken, createFieldDocument, { field: fieldInput(field) })),
    showColumns: (accessToken, list) => showColumns(endpoint, accessToken, list),
    createRole: async (accessToken, { label, kind }) =>
      void (await create(accessToken, createRoleDocument, { label, ...rights[kind], canBeAssignedToUsers: true })),
    async mayChangeRecords(accessToken, { objectId, roleLabel }) {
      const { getRoles } = await endpoint.request({ endpoint: 'metadata', document: rightsDocument, accessToken, answer: rightsAnswer })
      const role = getRoles.find(({ label }) => label.trim() === roleLabel.trim())
      const own = role?.objectPermissions?.find(({ objectMetadataId }) => objectMetadataId === objectId)
      return own?.canUpdateObjectRecords ?? role?.canUpdateAllObjectRecords ?? false
    },
    async makeReadOnly(accessToken, { objectId, roleLabel }) {
      const role = (await rolesOf(accessToken)).find(({ label }) => label.trim() === roleLabel.trim())
      if (!role) throw new AppError('NOT_FOUND', { detail: `The platform has no role ${roleLabel}` })
      const variables = { input: { roleId: role.id, objectPermissions: [{ objectMetadataId: objectId, ...readOnly }] } }
      await endpoint.request({ endpoint: 'metadata', document: permissionsDocument, variables, accessToken, answer: permissionsAnswer })
    },
  }
}

const readOnly = {
  canReadObjectRecords: true,
  canUpdateObjectRecords: false,
  canSoftDeleteObjectRecords: false,
  canDestroyObjectRecords: false,
} as const

/** A manager can change the data model and the team. A user can work on records, but cannot destroy any. */
const rights = {
  MANAGER: {
    description: 'Runs the call center',
    icon: 'IconHeadset',
    canReadAllObjectRecords: true,
    canUpdateAllObjectRecords: true,
    canSoftDeleteAllObjectRecords: true,
    canDestroyAllObjectRecords: true,
    canUpdateAllSettings: true,
    canAccessAllTools: true,
  },
  USER: {
    description: 'Works in the call center',
    icon: 'IconUser',
    canReadAllObjectRecords: true,
    canUpdateAllObjectRecords: true,
    canSoftDeleteAllObjectRecords: false,
    canDestroyAllObjectRecords: false,
    canUpdateAllSettings: false,
    canAccessAllTools: false,
  },
} as const

function objectInput({ singular, plural, singularLabel, pluralLabel, icon }: NewObject) {
  return { nameSingular: singular, namePlural: plural, labelSingular: singularLabel, labelPlural: pluralLabel, icon }
}

/** The icons with which the platform itself shows these types. */
const icons: Readonly<Record<string, string>> = {
  ARRAY: 'IconBracketsContain',
  BOOLEAN: 'IconToggleRight',
  DATE_TIME: 'IconCalendarClock',
  EMAILS: 'IconMail',
  LINKS: 'IconLink',
  NUMBER: 'IconNumbers',
  PHONES: 'IconPhone',
  RELATION: 'IconRelationManyToOne',
  SELECT: 'IconTag',
}

const colors = ['blue', 'green', 'yellow', 'red', 'purple', 'orange', 'gray'] as const

function fieldInput({ objectId, name, label, description, type, isUnique, options, relation }: NewField) {
  const icon = icons[type] ?? 'IconTypography'
  const shared = { objectMetadataId: objectId, name, label, description, icon, type, isNullable: true, ...(isUnique ? { isUnique } : {}) }
  if (relation) {
    const payload = { type: 'MANY_TO_ONE', targetObjectMetadataId: relation.targetId, targetFieldLabel: relation.backLabel }
    return { ...shared, relationCreationPayload: { ...payload, targetFieldIcon: relation.backIcon } }
  }
  if (type !== 'SELECT') return shared
  const choices = options.map((value, position) => ({ value, label: labelOf(value), color: colors[position % colors.length], position }))
  return { ...shared, options: choices }
}

/** `IN_PROGRESS` -> `In progress`. */
function labelOf(value: string): string {
  const words = value.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
