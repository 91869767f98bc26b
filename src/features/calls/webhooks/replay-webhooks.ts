import { type Actor, auditActor } from '../../../access/actor.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { loggedReason } from '../../../kernel/logged-error.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { failedWebhooks } from '../webhook-store/entry.ts'
import { markReplayed, readFailedWebhook } from '../webhook-store/failed-webhook.ts'

type Replaying = Pick<CallPorts, 'audit' | 'clock' | 'log' | 'store' | 'webhookBox' | 'webhookInbox' | 'webhookLog'>

/** `failed`: how many failed again and can be sent once more. `remaining`: whether there are others. */
export type ReplayedWebhooks = { readonly replayed: number; readonly failed: number; readonly remaining: boolean }

const maxReplayed = 1_000

/** Processes a failed webhook again. One that was replayed before is not processed once more. Errors: NOT_FOUND, OVERLOADED, STORE_UNAVAILABLE. */
export async function replayWebhook(ports: Replaying, actor: Actor, id: string): Promise<ReplayedWebhooks> {
  const result = await replay(ports, actor, id)
  if (result === 'GONE') throw new AppError('NOT_FOUND', { detail: 'There is no failed webhook with this ID that can be sent again' })
  return { replayed: result === 'REPLAYED' ? 1 : 0, failed: 0, remaining: false }
}

/** Processes the workspace's failed webhooks again, the oldest first, at most 1,000. One that fails does not stop the others. Errors: STORE_UNAVAILABLE. */
export async function replayWebhooks(ports: Replaying, actor: Actor): Promise<ReplayedWebhooks> {
  const { workspaceId } = actor.principal
  const waiting = await failedWebhooks.range(ports, workspaceId, { limit: maxReplayed + 1 })
  let [replayed, failed] = [0, 0]
  for (const { member: id } of waiting.slice(0, maxReplayed)) {
    try {
      const result = await replay(ports, actor, id)
      if (result === 'REPLAYED') replayed += 1
      else await failedWebhooks.remove(ports, workspaceId, id)
    } catch (error) {
      failed += 1
      ports.log.warn({ workspaceId, webhook: id, reason: loggedReason(error) }, 'webhook-log.replay-failed')
    }
  }
  return { replayed, failed, remaining: waiting.length > maxReplayed }
}

/** Marked and audited after its updates are durable. After a crash in between they are added again under the same ids, and dropped. */
async function replay(ports: Replaying, actor: Actor, id: string): Promise<'REPLAYED' | 'BEFORE' | 'GONE'> {
  const { workspaceId } = actor.principal
  const webhook = await readFailedWebhook(ports, { workspaceId, id })
  if (!webhook) return 'GONE'
  if (webhook.replayedAt !== null) return 'BEFORE'
  const { provider, receivedAt, updates } = webhook
  for (const update of updates) await ports.webhookInbox.add({ workspaceId, provider, update }, { id, receivedAt })
  const act = {
    actor: auditActor(actor),
    action: 'webhook.replayed' as const,
    target: { kind: 'webhook', id, name: null },
    details: { provider, ucid: updates[0]?.ucid ?? null },
  }
  const isFirst = await markReplayed(ports, { workspaceId, id }, { replayedAt: isoMoment(ports.clock.now()), act })
  if (!isFirst) return 'BEFORE'
  ports.webhookLog.note({ workspaceId, provider }, { verdict: 'ACCEPTED', updates, replayOf: id })
  return 'REPLAYED'
}
