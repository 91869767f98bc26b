import { z } from 'zod'
import { isoMoment } from '../clock.ts'
import { newId } from '../ids.ts'
import { requireSettings, requireWorkspace } from './callers.ts'
import { internalError, platformError } from './errors.ts'
import { requireRole } from './members.ts'
import type { MetadataContext, MetadataResolvers } from './metadata-context.ts'
import { roleView } from './metadata-views.ts'
import { type ApiKey, type Webhook, webhookInput } from './state.ts'
import type { LiveWorkspace, World } from './fixtures.ts'

/** API keys and webhooks. */
export const keyResolvers: MetadataResolvers = {
  apiKeys(_args, { world, caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    return [...world.state.apiKeys.values()]
      .filter(({ workspaceId }) => workspaceId === workspace.id)
      .map((key) => keyView(world, workspace, key))
  },
  createApiKey(args, { world, caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const { input } = z.object({ input: z.object({ name: z.string(), expiresAt: z.string(), roleId: z.string() }) }).parse(args)
    return keyView(world, workspace, addApiKey(world, workspace, input))
  },
  async generateApiKeyToken(args, context) {
    const { apiKeyId, expiresAt } = z.object({ apiKeyId: z.string(), expiresAt: z.string() }).parse(args)
    const key = ownKey(context, apiKeyId)
    if (key.revokedAt !== null) {
      const friendly = 'This API Key has been revoked and can no longer be used.'
      throw platformError('This API Key is revoked', 'INTERNAL_SERVER_ERROR', { friendly })
    }
    return { token: await issueApiKey(context.world, { ...key, expiresAt }) }
  },
  revokeApiKey(args, context) {
    const key = ownKey(context, z.object({ input: z.object({ id: z.string() }) }).parse(args).input.id)
    const revoked = { ...key, revokedAt: isoMoment(context.world.clock.now()) }
    context.world.state.apiKeys.set(key.id, revoked)
    return keyView(context.world, requireWorkspace(context.caller).workspace, revoked)
  },
  webhooks(_args, { world, caller }) {
    const { workspace, role } = requireWorkspace(caller)
    if (!role.canUpdateAllSettings) {
      const friendly = 'You do not have permission to access this feature. Please contact your workspace administrator for access.'
      throw platformError('Entity performing the request does not have permission', 'INTERNAL_SERVER_ERROR', { friendly })
    }
    return [...world.state.webhooks.values()].filter(({ workspaceId }) => workspaceId === workspace.id)
  },
  createWebhook(args, { world, caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const { input } = z.object({ input: webhookInput }).parse(args)
    const webhook: Webhook = { ...input, ...stampOf(world, workspace) }
    world.state.webhooks.set(webhook.id, webhook)
    return webhook
  },
  deleteWebhook(args, { world, caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const webhook = world.state.webhooks.get(z.object({ id: z.string() }).parse(args).id)
    if (webhook?.workspaceId !== workspace.id) throw internalError('Webhook not found')
    world.state.webhooks.delete(webhook.id)
    return webhook
  },
}

type NewKey = { readonly name: string; readonly expiresAt: string; readonly roleId: string }

export function addApiKey(world: World, workspace: LiveWorkspace, { name, expiresAt, roleId }: NewKey): ApiKey {
  requireRole(world, workspace.id, roleId)
  if (Number.isNaN(Date.parse(expiresAt))) {
    throw internalError('invalid input syntax for type timestamp with time zone: "0NaN-NaN-NaNTNaN:NaN:NaN.NaN+NaN:NaN"')
  }
  const expiry = new Date(expiresAt).toISOString()
  const key: ApiKey = { ...stampOf(world, workspace), name, roleId, expiresAt: expiry, revokedAt: null }
  world.state.apiKeys.set(key.id, key)
  return key
}

function stampOf({ clock }: World, { id }: LiveWorkspace) {
  return { id: newId(), workspaceId: id, createdAt: isoMoment(clock.now()) }
}

/** The token of an API key; its `jti` is the key's id. */
export async function issueApiKey(world: World, { id, workspaceId, expiresAt }: ApiKey): Promise<string> {
  const lifetimeMs = Date.parse(expiresAt) - world.clock.now()
  const { token } = await world.tokens.issue('API_KEY', { sub: workspaceId, workspaceId }, { lifetimeMs, id })
  return token
}

function ownKey({ world, caller }: MetadataContext, id: string): ApiKey {
  const { workspace } = requireSettings(requireWorkspace(caller))
  const key = world.state.apiKeys.get(id)
  if (key?.workspaceId !== workspace.id) {
    throw platformError(`API Key with id ${id} not found`, 'INTERNAL_SERVER_ERROR', { friendly: 'API key not found.' })
  }
  return key
}

function keyView(world: World, workspace: LiveWorkspace, key: ApiKey) {
  return {
    ...key,
    role() {
      const role = world.state.roles.get(key.roleId)
      return role && roleView(world, workspace, role)
    },
  }
}
