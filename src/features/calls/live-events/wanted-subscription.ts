import { createHmac } from 'node:crypto'
import { AppError } from '../../../kernel/errors.ts'
import { hashOf } from '../../../kernel/ids.ts'
import { secretDestinations } from '../../configuration/secret-destinations.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { readLiveEventsAddress, type WebhookTarget } from '../webhook-store/webhook-keys.ts'

/** The subscription that a workspace's present configuration asks for. */
export type WantedSubscription = WebhookTarget & {
  /** The same for every workspace that uses this account of the provider. */
  readonly account: string
  /** Changes with the account, the access to it, and the address. */
  readonly digest: string
  readonly url: string
  readonly keyHash: string
}

/** Why a workspace has no live events. */
export type Obstacle = 'NOT_CONFIGURED' | 'NOT_SUPPORTED' | 'NO_PUBLIC_ADDRESS'

type WantedPorts = Pick<CallPorts, 'configuration' | 'liveEventsSecret' | 'publicAddress' | 'schemas' | 'store' | 'telephonyOf'>

/** Errors: STORE_UNAVAILABLE. */
export async function wantedSubscription(ports: WantedPorts, workspaceId: string): Promise<WantedSubscription | Obstacle> {
  try {
    const { provider } = await ports.configuration.read(workspaceId, 'telephony')
    if (provider === null) return 'NOT_CONFIGURED'
    const { capabilities } = await ports.telephonyOf(workspaceId)
    if (!capabilities.has('WEBHOOKS')) return 'NOT_SUPPORTED'
    const publicUrl = ports.publicAddress.url()
    if (publicUrl === null) return 'NO_PUBLIC_ADDRESS'
    const target = { workspaceId, provider: provider.id }
    const account = await accountOf(ports, workspaceId)
    const { path, keyHash } = await readLiveEventsAddress(ports, { ...target, account })
    const url = publicUrl + path
    const digest = createHmac('sha256', ports.liveEventsSecret)
      .update(JSON.stringify([provider, url]))
      .digest('base64url')
    return { ...target, account, digest, url, keyHash }
  } catch (error) {
    if (error instanceof AppError && error.reason === 'NOT_CONFIGURED') return 'NOT_CONFIGURED'
    throw error
  }
}

/** Identifies the account that the workspace uses at its provider. Errors: those of `Configuration.read`. */
export async function accountOf(ports: Pick<CallPorts, 'configuration' | 'schemas'>, workspaceId: string): Promise<string> {
  const { provider } = await secretDestinations(ports, workspaceId)
  return hashOf(JSON.stringify(provider))
}
