import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { createKeyedMutex } from '../../kernel/keyed-mutex.ts'
import type { Ports } from '../../ports/ports.ts'
import { createKeyIndex } from './key-index.ts'
import type { WidgetKey } from './widget-key.ts'

/** The keys of all workspaces, in one document. Expired keys are invisible. */
export interface WidgetKeys extends Disposable {
  /** A workspace's keys, newest first, from the store. Errors: STORE_UNAVAILABLE, NOT_CONFIGURED (the document cannot be read). */
  list(workspaceId: string): Promise<readonly WidgetKey[]>
  /** From memory; finds a key of another instance within a second. During an outage of the store, the last known keys count. */
  find(key: string): Promise<WidgetKey | null>
  /** Whether a key of any workspace has this origin; for preflights, which carry no key. From memory. */
  hasOrigin(origin: string): Promise<boolean>
  /** Replaces a workspace's keys in one durable write and returns the edit's result; `edit` may be called again. Errors: like `list`. */
  change<Result>(workspaceId: string, edit: KeyEdit<Result>): Promise<Result>
}

export type KeyEdit<Result> = (keys: readonly WidgetKey[]) => { readonly keys: readonly WidgetKey[]; readonly result: Result }

type KeyPorts = Pick<Ports, 'documents' | 'notifications' | 'clock'>
type Change<Result> = { readonly workspaceId: string; readonly edit: KeyEdit<Result> }

const documentName = 'widget-keys'
const topic = 'widget.keys.changed'
/** An unknown key is searched in the store, but not more often than this. */
const searchEveryMs = 1_000
const maxTries = 30

const keySchema = z.object({
  key: z.string(),
  workspaceId: z.string(),
  origins: z.array(z.string()),
  createdAt: z.string(),
  validUntil: z.string().nullable(),
})
const documentSchema = z.object({ keys: z.array(keySchema) })

export function createWidgetKeys(ports: KeyPorts): WidgetKeys {
  const { documents, notifications, clock } = ports
  const mutex = createKeyedMutex()
  const index = createKeyIndex({ read: async () => (await readKeys(ports)).keys, clock })
  const subscriptions = [
    notifications.subscribe(topic, () => index.invalidate()),
    notifications.onGap(() => index.invalidate()),
    documents.watch((name) => (name === null || name === documentName) && index.invalidate()),
  ]
  return {
    async list(workspaceId) {
      const { keys } = await readKeys(ports)
      return keys.filter((key) => key.workspaceId === workspaceId).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    },
    async find(key) {
      const found = (await index.current()).keys.get(key) ?? (await index.notOlderThan(searchEveryMs)).keys.get(key)
      return found && isValid(found, clock.now()) ? found : null
    },
    async hasOrigin(origin) {
      const keys = (await index.current()).origins.get(origin)
      return keys?.some((key) => isValid(key, clock.now())) === true
    },
    async change(workspaceId, edit) {
      const result = await mutex.run(documentName, () => change(ports, { workspaceId, edit }))
      index.invalidate()
      await notifications.publish({ topic, workspaceId, payload: '' })
      return result
    },
    [Symbol.dispose]() {
      for (const subscription of subscriptions) subscription[Symbol.dispose]()
    },
  }
}

/** Tries again if another instance has written meanwhile. */
async function change<Result>(ports: KeyPorts, { workspaceId, edit }: Change<Result>): Promise<Result> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const { text: expected, keys: all } = await readKeys(ports)
    const edited = edit(all.filter((key) => key.workspaceId === workspaceId))
    const keys = [...all.filter((key) => key.workspaceId !== workspaceId), ...edited.keys]
    if (await ports.documents.replace(documentName, { expected, text: `${JSON.stringify({ keys }, null, 2)}\n` })) return edited.result
  }
  throw new AppError('OVERLOADED', { detail: 'Too many concurrent changes of the widget keys; ask again', data: { retryAfterSeconds: 1 } })
}

async function readKeys({ documents, clock }: KeyPorts): Promise<{ readonly text: string | null; readonly keys: readonly WidgetKey[] }> {
  const text = await documents.read(documentName)
  if (text === null) return { text, keys: [] }
  try {
    const now = clock.now()
    return { text, keys: documentSchema.parse(JSON.parse(text)).keys.filter((key) => isValid(key, now)) }
  } catch (cause) {
    throw new AppError('NOT_CONFIGURED', { detail: `The widget keys cannot be read: repair ${documents.locate(documentName)}`, cause })
  }
}

function isValid({ validUntil }: WidgetKey, now: number): boolean {
  return validUntil === null || Date.parse(validUntil) > now
}
