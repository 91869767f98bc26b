import { z } from 'zod'
import type { Clock } from '../../kernel/clock.ts'
import type { DocumentStore } from '../../ports/documents.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Notifications } from '../../ports/notifications.ts'
import { createKeyedMutex } from '../../kernel/keyed-mutex.ts'
import type { WidgetKey } from './widget-key.ts'

/** The keys of all workspaces, in one document that outlives everything. What has run out is nowhere to be seen. */
export interface WidgetKeys extends Disposable {
  /** A workspace's keys, newest first, as they lie in the store. Errors: STORE_UNAVAILABLE, NOT_CONFIGURED (the document cannot be read). */
  list(workspaceId: string): Promise<readonly WidgetKey[]>
  /** Out of memory; a key made on another instance counts within a second. While the store is away, what was known last counts. */
  find(key: string): Promise<WidgetKey | null>
  /** Whether a key of any workspace names this origin; for preflights, which carry no key. Out of memory. */
  isNamed(origin: string): Promise<boolean>
  /** Replaces a workspace's keys in one durable step and answers the edit's result; `edit` may be called again. Errors: as `list`. */
  change<Result>(workspaceId: string, edit: KeyEdit<Result>): Promise<Result>
}

export type KeyEdit<Result> = (keys: readonly WidgetKey[]) => { readonly keys: readonly WidgetKey[]; readonly result: Result }

export type WidgetKeysOptions = { readonly documents: DocumentStore; readonly notifications: Notifications; readonly clock: Clock }

const documentName = 'widget-keys'
const topic = 'widget.keys.changed'
/** What is in use is looked at again behind its readers, in case that the news of a change was lost. */
const recheckAfterMs = 10_000
/** A key that is not known is looked for in the store, but not more often than this. */
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

export function createWidgetKeys({ documents, notifications, clock }: WidgetKeysOptions): WidgetKeys {
  const mutex = createKeyedMutex()
  const isLive = ({ validUntil }: WidgetKey): boolean => validUntil === null || Date.parse(validUntil) > clock.now()

  const parse = (text: string | null): readonly WidgetKey[] => {
    if (text === null) return []
    try {
      return documentSchema.parse(JSON.parse(text)).keys.filter(isLive)
    } catch (cause) {
      throw new AppError('NOT_CONFIGURED', { detail: `The widget keys cannot be read: repair ${documents.locate(documentName)}`, cause })
    }
  }
  const index = createIndex(async () => indexOf(parse(await documents.read(documentName))), clock)

  /** Null where another writer was faster. */
  const changeOnce = async <Result>(workspaceId: string, edit: KeyEdit<Result>): Promise<{ result: Result } | null> => {
    const expected = await documents.read(documentName)
    const all = parse(expected)
    const edited = edit(all.filter((key) => key.workspaceId === workspaceId))
    const keys = [...all.filter((key) => key.workspaceId !== workspaceId), ...edited.keys]
    const replaced = await documents.replace(documentName, { expected, text: `${JSON.stringify({ keys }, null, 2)}\n` })
    return replaced ? { result: edited.result } : null
  }

  const changeInTurn = async <Result>(workspaceId: string, edit: KeyEdit<Result>): Promise<Result> => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const changed = await changeOnce(workspaceId, edit)
      if (changed) return changed.result
    }
    throw new AppError('OVERLOADED', { detail: 'Too many others are changing the widget keys', data: { retryAfterSeconds: 1 } })
  }

  const listening = [
    notifications.subscribe(topic, () => index.invalidate()),
    notifications.onGap(() => index.invalidate()),
    documents.watch((name) => (name === null || name === documentName) && index.invalidate()),
  ]
  return {
    async list(workspaceId) {
      const keys = parse(await documents.read(documentName))
      return keys.filter((key) => key.workspaceId === workspaceId).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    },
    async find(key) {
      const found = (await index.current()).keys.get(key) ?? (await index.notOlderThan(searchEveryMs)).keys.get(key)
      return found && isLive(found) ? found : null
    },
    isNamed: async (origin) => (await index.current()).origins.get(origin)?.some(isLive) === true,
    async change(workspaceId, edit) {
      const result = await mutex.run(documentName, () => changeInTurn(workspaceId, edit))
      index.invalidate()
      await notifications.publish({ topic, workspaceId, payload: '' })
      return result
    },
    [Symbol.dispose]() {
      for (const one of listening) one[Symbol.dispose]()
    },
  }
}

type Index = { readonly keys: ReadonlyMap<string, WidgetKey>; readonly origins: ReadonlyMap<string, readonly WidgetKey[]> }

function indexOf(all: readonly WidgetKey[]): Index {
  const named = all.flatMap((key) => key.origins.map((origin) => ({ origin, key })))
  const origins = Map.groupBy(named, ({ origin }) => origin)
  return {
    keys: new Map(all.map((key) => [key.key, key])),
    origins: new Map(Array.from(origins, ([origin, entries]) => [origin, entries.map(({ key }) => key)])),
  }
}

/** What was read last, read again when it is distrusted, and now and then behind its readers. A store that is away leaves what was known. */
function createIndex(read: () => Promise<Index>, clock: Clock) {
  let known: { readonly index: Promise<Index>; readonly readAt: number; readonly isStale: boolean } | null = null

  const renew = (): Promise<Index> => {
    const former = known?.index
    const index = former ? read().catch(() => former) : read()
    const entry = { index, readAt: clock.now(), isStale: false }
    known = entry
    index.catch(() => known === entry && (known = null))
    return index
  }
  const recheck = (entry: NonNullable<typeof known>): void => {
    const marked = { ...entry, readAt: clock.now() }
    known = marked
    read().then(
      (index) => known === marked && (known = { ...marked, index: Promise.resolve(index) }),
      () => undefined,
    )
  }
  return {
    async current(): Promise<Index> {
      if (!known || known.isStale) return renew()
      if (clock.now() - known.readAt >= recheckAfterMs) recheck(known)
      return known.index
    },
    async notOlderThan(ms: number): Promise<Index> {
      return known && clock.now() - known.readAt < ms ? known.index : renew()
    },
    invalidate(): void {
      if (known) known = { ...known, isStale: true }
    },
  }
}
