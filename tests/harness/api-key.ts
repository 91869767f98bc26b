import { z } from 'zod'
import type { TestApp } from './app.ts'

/** An API key of the workspace with the manager's role. */
export async function createApiKey(app: TestApp, token: string): Promise<string> {
  const roles = await app.graphql('{ getRoles { id label } }', { token })
  const found = z.array(z.object({ id: z.string(), label: z.string() })).parse(roles.data?.['getRoles'])
  const roleId = found.find(({ label }) => label === 'Manager' || label === 'Admin')?.id
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const created = await app.graphql('mutation($input: CreateApiKeyInput!) { createApiKey(input: $input) { id } }', {
    token,
    variables: { input: { name: 'stitching', expiresAt, roleId } },
  })
  const { id } = z.object({ id: z.string() }).parse(created.data?.['createApiKey'])
  const issued = await app.graphql('mutation($id: UUID!, $at: String!) { generateApiKeyToken(apiKeyId: $id, expiresAt: $at) { token } }', {
    token,
    variables: { id, at: expiresAt },
  })
  return z.object({ token: z.string() }).parse(issued.data?.['generateApiKeyToken']).token
}
