import { createHmac, randomBytes } from 'node:crypto'
import { type Clock, isoMoment } from '../clock.ts'
import { wholeRecord } from './record-shape.ts'
import type { RecordEvent, Records } from './records.ts'
import type { Webhook } from './state.ts'
import type { KeptMap } from './storage.ts'
import type { WorkspaceModel } from './workspace-model.ts'

const answerTimeoutMs = 5000

type Deps = {
  readonly clock: Clock
  readonly webhooks: KeptMap<Webhook>
  readonly workspaceId: string
  readonly model: WorkspaceModel
  readonly records: Records
  readonly stop: AbortSignal
}

/** Sends each event of a workspace's records to the webhooks that want it: once, signed, without a second try. */
export function deliverWebhooks(deps: Deps): void {
  deps.records.listen((event) => {
    for (const webhook of deps.webhooks.values()) {
      if (webhook.workspaceId === deps.workspaceId && isWanted(webhook, event)) void post(deps, webhook, event)
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

async function post(deps: Deps, webhook: Webhook, event: RecordEvent): Promise<void> {
  const now = deps.clock.now()
  const body = JSON.stringify({ ...payloadOf(deps, webhook, event), eventDate: isoMoment(now) })
  const headers = {
    'content-type': 'application/json',
    'x-twenty-webhook-timestamp': String(now),
    'x-twenty-webhook-signature': createHmac('sha256', webhook.secret).update(`${now}:${body}`).digest('hex'),
    'x-twenty-webhook-nonce': randomBytes(16).toString('hex'),
  }
  const signal = AbortSignal.any([deps.stop, AbortSignal.timeout(answerTimeoutMs)])
  const lost = (): null => null
  const response = await fetch(webhook.targetUrl, { method: 'POST', headers, body, signal, redirect: 'error' }).catch(lost)
  await response?.body?.cancel()
}

function payloadOf({ model, workspaceId }: Deps, webhook: Webhook, event: RecordEvent) {
  const { object, action, record, before, actor } = event
  const whole = wholeRecord(model, object, record)
  const changed = Object.keys(record).filter((name) => JSON.stringify(record[name]) !== JSON.stringify(before?.[name]))
  return {
    targetUrl: webhook.targetUrl,
    eventName: `${object.nameSingular}.${action}`,
    objectMetadata: { id: object.id, nameSingular: object.nameSingular },
    workspaceId,
    webhookId: webhook.id,
    ...(actor.workspaceMemberId === null ? {} : { workspaceMemberId: actor.workspaceMemberId }),
    record: whole,
    ...(action === 'updated' ? { updatedFields: changed.filter((name) => name in whole) } : {}),
  }
}
