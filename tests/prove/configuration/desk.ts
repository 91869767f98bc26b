import { openConfiguration } from '../../builders/configuration.ts'
import type { LiveConfiguration } from '../../../src/features/configuration/create-configuration.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { connectRedis } from '../../../src/providers/redis/connection.ts'
import { createFileDocuments } from '../../../src/providers/store/file-documents.ts'
import { createRedisDocuments } from '../../../src/providers/store/redis-documents.ts'

/** The place of the documents: `files:<data directory>` or `redis:<address>`. */
export type Place = `files:${string}` | `redis:${string}`

export type Desk = AsyncDisposable & { readonly sections: LiveConfiguration['sections'] }

/** The configuration at this place, with a key that all processes share. */
export async function openDesk(place: string): Promise<Desk> {
  await using stack = new AsyncDisposableStack()
  const log = createLog('silent')
  const address = place.slice(place.indexOf(':') + 1)
  const store = place.startsWith('files:')
    ? await createFileDocuments({ dataDir: address, log })
    : createRedisDocuments({ connection: stack.use(await connectRedis({ url: address, log })) })
  const live = stack.use(await openConfiguration({ dataDir: '', store, key: new Uint8Array(32) }))
  const open = stack.move()
  return { sections: live.sections, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

const target = { workspaceId: 'w1', section: 'theme' } as const

/** Two numbers in one section; each writer increases one of them. */
export const writers = ['left', 'right'] as const
export type Writer = (typeof writers)[number]
export type Numbers = { readonly [Name in Writer]: number }

/** The present numbers, and whether the stored versions are without gaps. */
export async function readNumbers({ sections }: Desk): Promise<Numbers & { readonly isWhole: boolean }> {
  const { values, history } = await sections.load(target)
  const isWhole = history.every(({ version }, index) => version === (history[0]?.version ?? 0) - index)
  return { left: numberIn(values.brand.hospitalName), right: numberIn(values.fonts.body), isWhole }
}

/** Resolves when the number is acknowledged. */
export async function writeNumber({ sections }: Desk, writer: Writer, number: number): Promise<void> {
  await sections.change(target, {
    action: 'SAVED',
    editor: null,
    edit: ({ values }) =>
      writer === 'left'
        ? { ...values, brand: { ...values.brand, hospitalName: `Number ${number}` } }
        : { ...values, fonts: { ...values.fonts, body: `Number ${number}` } },
  })
}

function numberIn(text: string | null): number {
  return Number(/^Number (\d+)$/.exec(text ?? '')?.[1] ?? 0)
}
