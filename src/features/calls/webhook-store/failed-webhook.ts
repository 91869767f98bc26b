import { z } from 'zod'
import type { SecretBox } from '../../../kernel/secrets.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { AuditAct } from '../../../ports/audit.ts'
import { Family } from '../../../ports/stored/family.ts'
import type { WebhookUpdate } from '../../../ports/telephony-webhooks.ts'
import { webhookUpdateSchema } from './webhook-update.ts'
import { failedWebhooks, webhookLogDays } from './entry.ts'

/**
 * What a failed webhook reported, sealed, so that it can be processed later. It is what would have become of the call's record: the body itself,
 * which has a secret of the provider, is not stored. Errors of all functions: STORE_UNAVAILABLE.
 */

export type FailedWebhook = {
  readonly provider: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly updates: readonly WebhookUpdate[]
}

const storedSchema = z.object({ sealed: z.string(), replayedAt: z.string().nullable() })
const failedSchema = z.object({ provider: z.string(), receivedAt: z.number(), updates: z.array(webhookUpdateSchema) })

type FailedId = { readonly workspaceId: string; readonly id: string }

export const failedWebhookReports = new Family({
  name: 'webhook-failed',
  key: ({ workspaceId, id }: FailedId) => [workspaceId, id],
  schema: storedSchema,
  lifetime: webhookLogDays * 86_400_000,
  about: 'call',
  what: 'what a failed webhook reported, sealed, to process it again: numbers, notes',
})

export async function storeFailedWebhook(
  ports: Pick<Ports, 'store'> & { readonly webhookBox: SecretBox },
  { workspaceId, id, at }: FailedId & { readonly at: number },
  webhook: FailedWebhook,
): Promise<void> {
  const context = failedWebhookReports.keyText({ workspaceId, id })
  const sealed = ports.webhookBox.seal(JSON.stringify(webhook), context)
  await failedWebhookReports.write(ports, { workspaceId, id }, { value: { sealed, replayedAt: null } })
  await failedWebhooks.add(ports, workspaceId, { member: id, score: at })
}

/** Null if there is none, or if it cannot be opened any more. */
export async function readFailedWebhook(
  ports: Pick<Ports, 'store'> & { readonly webhookBox: SecretBox },
  failed: FailedId,
): Promise<(FailedWebhook & { readonly replayedAt: string | null }) | null> {
  const stored = await failedWebhookReports.read(ports, failed)
  const webhook = stored && opened(ports.webhookBox, stored.sealed, failedWebhookReports.keyText(failed))
  return webhook && { ...webhook, replayedAt: stored.replayedAt }
}

/** `act`: its audit entry is stored with the mark. */
type Replayed = { readonly replayedAt: string; readonly act: AuditAct }

/** After its updates are durable. False if another replay was first, which alone is audited. A webhook that has just expired is audited without a mark. */
export async function markReplayed(
  ports: Pick<Ports, 'audit' | 'store'>,
  { workspaceId, id }: FailedId,
  { replayedAt, act }: Replayed,
): Promise<boolean> {
  const { value, version } = await failedWebhookReports.readStored(ports, { workspaceId, id })
  // Nothing but a replay changes it.
  const isFirst =
    value?.replayedAt === null &&
    (await failedWebhookReports.replace(
      ports,
      { workspaceId, id },
      { version, value: { ...value, replayedAt }, add: ports.audit.entryOf(workspaceId, act) },
    )) !== null
  const isGone = !isFirst && (await failedWebhookReports.read(ports, { workspaceId, id })) === null
  if (isGone) await ports.audit.record(workspaceId, act)
  await failedWebhooks.remove(ports, workspaceId, id)
  return isFirst || isGone
}

/** For each id whether it can be sent again, and when it was. Null for one that is not stored. */
export function replayStates(ports: Pick<Ports, 'store'>, workspaceId: string, ids: readonly string[]) {
  return failedWebhookReports.readMany(
    ports,
    ids.map((id) => ({ workspaceId, id })),
  )
}

function opened(box: SecretBox, sealed: string, key: string): FailedWebhook | null {
  try {
    return failedSchema.parse(JSON.parse(box.open(sealed, key)))
  } catch {
    return null
  }
}
