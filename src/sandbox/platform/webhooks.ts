import { createHmac, randomBytes } from 'node:crypto'
import { isoMoment } from '../../kernel/clock.ts'
import { wholeRecord } from './record-shape.ts'
import type { RecordEvent } from './records.ts'
import type { Webhook } from './state.ts'
import type { LiveWorkspace, World } from './world.ts'

const answerTimeoutMs = 5000

/** Sends each event of a workspace's records to the webhooks that want it: once, signed, without a second try. */
export function deliverWebhooks(world: World, workspace: LiveWorkspace, stop: AbortSignal): void {
  workspace.records.listen((event) => {
    for (const webhook of world.state.webhooks.values()) {
      if (webhook.workspaceId === workspace.id && isWanted(webhook, event)) void post(world, { workspace, webhook, event, stop })
    }
  })
}

/** `lead.*`, `*.created`, `call.created`, `*.*`. */
function isWanted({ operations }: Webhook, { object, action }: RecordEvent): boolean {
  return operations.some((operation) => {
    const [name, verb] = operation.split('.')
    return (name === '*' || name === object.nameSingular) && (verb === '*' || verb === action)
  })
}

type Delivery = {
  readonly workspace: LiveWorkspace
  readonly webhook: Webhook
  readonly event: RecordEvent
  readonly stop: AbortSignal
}

async function post(world: World, { workspace, webhook, event, stop }: Delivery): Promise<void> {
  const now = world.clock.now()
  const body = JSON.stringify(payloadOf(workspace, webhook, { event, eventDate: isoMoment(now) }))
  const headers = {
    'content-type': 'application/json',
    'x-twenty-webhook-timestamp': String(now),
    'x-twenty-webhook-signature': createHmac('sha256', webhook.secret).update(`${now}:${body}`).digest('hex'),
    'x-twenty-webhook-nonce': randomBytes(16).toString('hex'),
  }
  const signal = AbortSignal.any([stop, AbortSignal.timeout(answerTimeoutMs)])
  const lost = (): null => null
  const response = await fetch(webhook.targetUrl, { method: 'POST', headers, body, signal, redirect: 'error' }).catch(lost)
  await response?.body?.cancel()
}

function payloadOf(workspace: LiveWorkspace, webhook: Webhook, { event, eventDate }: { event: RecordEvent; eventDate: string }) {
  const { object, action, record, before, actor } = event
  const whole = wholeRecord(workspace.model, object, record)
  const changed = Object.keys(record).filter((name) => JSON.stringify(record[name]) !== JSON.stringify(before?.[name]))
  return {
    targetUrl: webhook.targetUrl,
    eventName: `${object.nameSingular}.${action}`,
    objectMetadata: { id: object.id, nameSingular: object.nameSingular },
    workspaceId: workspace.id,
    webhookId: webhook.id,
    eventDate,
    ...(actor.workspaceMemberId === null ? {} : { workspaceMemberId: actor.workspaceMemberId }),
    record: whole,
    ...(action === 'updated' ? { updatedFields: changed.filter((name) => name in whole) } : {}),
  }
}
