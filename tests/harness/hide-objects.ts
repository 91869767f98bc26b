import { z } from 'zod'
import type { PlatformStandIn } from '../../src/sandbox/platform/platform.ts'
import { createPlatformClient } from './platform-client.ts'

const listSchema = z.object({
  data: z.object({
    getRoles: z.array(z.object({ id: z.string(), label: z.string() })),
    objects: z.object({ edges: z.array(z.object({ node: z.object({ id: z.string(), nameSingular: z.string() }) })) }),
  }),
})
const doneSchema = z.object({ data: z.object({ upsertObjectPermissions: z.array(z.unknown()) }) })

const listDocument = '{ getRoles { id label } objects(paging: { first: 1000 }) { edges { node { id nameSingular } } } }'
const hideDocument = `mutation ($input: UpsertObjectPermissionsInput!) {
  upsertObjectPermissions(upsertObjectPermissionsInput: $input) { objectMetadataId }
}`

/** Takes the right to read objects of the workspace `demo` from a role, or gives it back. */
export async function hideObjects(
  platform: PlatformStandIn,
  role: string,
  { names, isHidden = true }: { readonly names: readonly string[]; readonly isHidden?: boolean },
): Promise<void> {
  const client = createPlatformClient(platform)
  const { access: token } = await client.signIn('manager')
  const { getRoles, objects } = listSchema.parse(await client.ask('/metadata', listDocument, { token })).data
  const roleId = getRoles.find(({ label }) => label === role)?.id
  const right = isHidden ? false : null
  const objectPermissions = objects.edges
    .filter(({ node }) => names.includes(node.nameSingular))
    // The platform refuses rights to change what may not be read; null leaves the right to the role.
    .map(({ node: { id } }) => ({
      objectMetadataId: id,
      canReadObjectRecords: right,
      canUpdateObjectRecords: right,
      canSoftDeleteObjectRecords: right,
      canDestroyObjectRecords: right,
    }))
  doneSchema.parse(await client.ask('/metadata', hideDocument, { token, variables: { input: { roleId, objectPermissions } } }))
}
