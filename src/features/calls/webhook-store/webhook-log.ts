import { newId } from '../../../kernel/ids.ts'
import { loggedReason } from '../../../kernel/logged-error.ts'
import { nextSlice } from '../../../kernel/loop-slices.ts'
import type { SecretBox } from '../../../kernel/secrets.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { WebhookUpdate } from '../../../ports/telephony-webhooks.ts'
import type { WebhookTarget } from './webhook-keys.ts'
import {
  hourOf,
  lastWebhooks,
  listedPerHour,
  loggedWebhooks,
  maxListed,
  webhookCounts,
  type WebhookContent,
  type WebhookEntry,
} from './entry.ts'
import { type FailedWebhook, storeFailedWebhook } from './failed-webhook.ts'

/** What became of a webhook. `updates`: what it reported, as far as it was read. */
export type WebhookNote = Pick<WebhookEntry, 'verdict'> &
  Partial<Pick<WebhookEntry, 'reason' | 'detail' | 'durationMs' | 'replayOf'>> & {
    readonly updates?: readonly WebhookUpdate[]
  }
/** `receivedAt`: when it came, epoch milliseconds. */
export type GivenUpWebhook = Pick<FailedWebhook, 'receivedAt' | 'updates'> & { readonly id: string; readonly reason: string }

/** The log of received webhooks. It is written after the answer: a webhook never waits for it. */
export interface WebhookLog {
  note(target: WebhookTarget, note: WebhookNote): void
  /**
   * Stores a webhook that was accepted before and is given up now, so that it can be replayed. Repeatable with the same id. Errors: STORE_UNAVAILABLE.
   */
  giveUp(target: WebhookTarget, webhook: GivenUpWebhook): Promise<void>
  /** Writes what is noted, and ends. */
  stop(): Promise<void>
}

const writeEveryMs = 100
const retryAfterMs = 1_000
/** What comes faster than it is written is only counted. */
const maxWaiting = 2_000
const maxDetail = 200
/** How often the log is trimmed: a hundred times until it is full again. */
const trimsPerLog = 100

type Writing = Pick<Ports, 'clock' | 'log' | 'store'> & {
  readonly webhookBox: SecretBox
  /** A test has fewer. */
  readonly maxEntries?: number
}
/** `at`: its place in the log, epoch milliseconds. */
type Waiting = { readonly entry: WebhookEntry; readonly at: number; readonly failed: FailedWebhook | null }
/** What is waiting of one provider, verdict and hour. `count` and `lastAt` are of what was received: a replay is not. `lastAt`: 0 for none. */
type Batch = {
  readonly target: WebhookTarget
  readonly verdict: WebhookEntry['verdict']
  readonly hour: number
  count: number
  lastAt: number
} & {
  entries: Waiting[]
}

export function createWebhookLog(ports: Writing): WebhookLog {
  const { clock, log } = ports
  const queue = createQueue()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  const writeAll = async (): Promise<void> => {
    let isComplete = true
    for (const batch of queue.take()) {
      try {
        await writeBatch(ports, batch)
      } catch (error) {
        // The others may be written: the error may be that of one key.
        log.warn({ workspaceId: batch.target.workspaceId, reason: loggedReason(error) }, 'webhook-log.not-written')
        queue.putBack(batch)
        isComplete = false
      }
    }
    if (!isComplete) schedule(retryAfterMs)
  }
  const schedule = (afterMs: number): void => {
    timer ??= setTimeout(() => {
      timer = null
      writing = writing.then(writeAll)
    }, afterMs).unref()
  }
  const cancel = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
  }

  return {
    note(target, note) {
      queue.add(target, note, clock.now())
      schedule(writeEveryMs)
    },
    async giveUp(target, { id, receivedAt, ...webhook }) {
      const at = clock.now()
      const verdict = 'FAILED'
      const total = await webhookCounts.add(ports, { ...target, verdict, hour: hourOf(at) }, 1)
      if (total > listedPerHour[verdict]) return
      const { entry, failed } = waitingOf(target, { verdict, ...webhook }, at)
      await writeEntry(ports, target, { entry: { ...entry, id }, at, failed: failed && { ...failed, receivedAt } })
    },
    async stop() {
      cancel()
      writing = writing.then(writeAll)
      await writing
      cancel()
    },
  }
}

/** What is not written yet, by provider, verdict and hour. */
function createQueue() {
  let batches = new Map<string, Batch>()
  let waiting = 0
  return {
    add(target: WebhookTarget, note: WebhookNote, at: number) {
      const { verdict } = note
      const hour = hourOf(at)
      const key = batchKey({ target, verdict, hour })
      const batch = batches.get(key) ?? { target, verdict, hour, count: 0, lastAt: 0, entries: [] }
      batches.set(key, batch)
      if (!note.replayOf) {
        batch.count += 1
        batch.lastAt = at
      }
      if (waiting >= maxWaiting || batch.entries.length >= listedPerHour[verdict]) return
      waiting += 1
      batch.entries.push(waitingOf(target, note, at))
    },
    take(): readonly Batch[] {
      const taken = [...batches.values()]
      batches = new Map()
      waiting = 0
      return taken
    },
    putBack(left: Batch) {
      const key = batchKey(left)
      const { count = 0, lastAt = 0, entries = [] } = batches.get(key) ?? {}
      batches.set(key, { ...left, count: left.count + count, lastAt: lastAt || left.lastAt, entries: [...left.entries, ...entries] })
      waiting += left.entries.length
    },
  }
}

function batchKey({ target, verdict, hour }: Pick<Batch, 'target' | 'verdict' | 'hour'>): string {
  return JSON.stringify([target.workspaceId, target.provider, verdict, hour])
}

function waitingOf({ provider }: WebhookTarget, note: WebhookNote, at: number): Waiting {
  const { verdict, reason = null, detail = null, durationMs = null, replayOf = null, updates = [] } = note
  const [first] = updates
  const about = first ? contentOf(first) : null
  const facts = { reason, detail: detail && detail.slice(0, maxDetail).toWellFormed(), durationMs, replayOf }
  return {
    entry: { id: newId(), provider, verdict, about, ucid: first?.ucid ?? null, ...facts },
    at,
    failed: verdict === 'FAILED' && first ? { provider, receivedAt: at, updates } : null,
  }
}

function contentOf(update: WebhookUpdate): WebhookContent {
  if (update.about === 'AGENT') return 'AGENT_EVENT'
  return update.source === 'LIVE' ? 'CALL_EVENT' : 'CALL_RECORD'
}

/** The count says how many entries of the hour are listed already, on all instances. */
async function writeBatch(ports: Writing, batch: Batch): Promise<void> {
  const { target, verdict, hour, count, lastAt } = batch
  let mayBeFull = false
  if (count > 0) {
    const total = await webhookCounts.add(ports, { ...target, verdict, hour }, count)
    batch.entries = batch.entries.slice(0, Math.max(0, listedPerHour[verdict] - (total - count)))
    batch.count = 0
    mayBeFull = Math.floor(total / trimEvery(ports)) > Math.floor((total - count) / trimEvery(ports))
  }
  if (lastAt > 0) {
    await noteLast(ports, target, { lastAt, isHandled: verdict === 'ACCEPTED' || verdict === 'DUPLICATE' || verdict === 'IGNORED' })
    batch.lastAt = 0
  }
  while (batch.entries.length > 0) {
    const [next] = batch.entries
    if (next) await writeEntry(ports, target, next)
    batch.entries.shift()
    await nextSlice()
  }
  if (mayBeFull) await trim(ports, target)
}

function trimEvery({ maxEntries = maxListed }: Writing): number {
  return Math.ceil(maxEntries / trimsPerLog)
}

/** The oldest leave when there are too many. */
async function trim({ maxEntries = maxListed, ...ports }: Writing, { workspaceId }: WebhookTarget): Promise<void> {
  const [beyond] = await loggedWebhooks.range(ports, workspaceId, { limit: 1, offset: maxEntries, reverse: true })
  if (beyond) await loggedWebhooks.trim(ports, workspaceId, beyond.score)
}

async function writeEntry(ports: Writing, { workspaceId }: WebhookTarget, { entry, at, failed }: Waiting): Promise<void> {
  if (failed) await storeFailedWebhook(ports, { workspaceId, id: entry.id, at }, failed)
  const known = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null))
  await loggedWebhooks.add(ports, workspaceId, { member: JSON.stringify(known), score: at })
}

async function noteLast(
  ports: Pick<Ports, 'store'>,
  target: WebhookTarget,
  { lastAt, isHandled }: { readonly lastAt: number; readonly isHandled: boolean },
): Promise<void> {
  await lastWebhooks.change(ports, target, {
    next: (known) => ({
      receivedAt: Math.max(lastAt, known?.receivedAt ?? 0),
      handledAt: isHandled ? Math.max(lastAt, known?.handledAt ?? 0) : (known?.handledAt ?? null),
    }),
  })
}
