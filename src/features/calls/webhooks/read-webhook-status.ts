import type { Actor } from '../../../access/actor.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import type { CallPorts } from '../state/call-ports.ts'
import type { WebhookTarget } from '../webhook-store/webhook-keys.ts'
import {
  hourOf,
  type LastWebhook,
  lastWebhooks,
  listedPerHour,
  webhookCounts,
  webhookVerdicts,
  type WebhookVerdict,
} from '../webhook-store/entry.ts'

/** The webhooks of one provider: times in ISO 8601, and numbers of the last 24 hours and the present one. */
export type WebhookStatus = {
  readonly provider: string
  readonly lastReceivedAt: string
  readonly lastHandledAt: string | null
  readonly accepted: number
  readonly duplicates: number
  readonly ignored: number
  readonly refused: number
  readonly failed: number
  /** How many of them are only counted. */
  readonly notListed: number
}

const hours = 25

/** For each provider that has ever sent a webhook in the last 30 days. Errors: STORE_UNAVAILABLE. */
export async function readWebhookStatus(
  ports: Pick<CallPorts, 'store' | 'clock' | 'webhookProviders'>,
  { principal: { workspaceId } }: Actor,
): Promise<readonly WebhookStatus[]> {
  const targets = ports.webhookProviders.map((provider) => ({ workspaceId, provider }))
  const statuses = await Promise.all(targets.map((target) => statusOf(ports, target)))
  return statuses.filter((status) => status !== null)
}

/** When the provider's last webhook came; null if none came in the last 30 days. Errors: STORE_UNAVAILABLE. */
export function readLastWebhook(ports: Pick<CallPorts, 'store'>, target: WebhookTarget): Promise<LastWebhook | null> {
  return lastWebhooks.read(ports, target)
}

async function statusOf(ports: Pick<CallPorts, 'store' | 'clock'>, target: WebhookTarget): Promise<WebhookStatus | null> {
  const last = await readLastWebhook(ports, target)
  if (!last) return null
  const now = hourOf(ports.clock.now())
  const countsOf = (verdict: WebhookVerdict): Promise<readonly number[]> =>
    webhookCounts.readMany(
      ports,
      Array.from({ length: hours }, (_, ago) => ({ ...target, verdict, hour: now - ago })),
    )
  const counted = await Promise.all(webhookVerdicts.map(async (verdict) => [verdict, await countsOf(verdict)] as const))
  const sums = new Map(counted.map(([verdict, counts]) => [verdict, sum(counts)]))
  const sumOf = (verdict: WebhookVerdict): number => sums.get(verdict) ?? 0
  return {
    provider: target.provider,
    lastReceivedAt: isoMoment(last.receivedAt),
    lastHandledAt: last.handledAt === null ? null : isoMoment(last.handledAt),
    accepted: sumOf('ACCEPTED'),
    duplicates: sumOf('DUPLICATE'),
    ignored: sumOf('IGNORED'),
    refused: sumOf('REFUSED'),
    failed: sumOf('FAILED'),
    notListed: sum(counted.flatMap(([verdict, counts]) => counts.map((count) => Math.max(0, count - listedPerHour[verdict])))),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
