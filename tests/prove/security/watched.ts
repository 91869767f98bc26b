import { z } from 'zod'
import { freePort } from '../../harness/free-port.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { startProcess } from '../stage/processes.ts'

/** A service in a process of its own, with the stand-ins in another, so that only the service's own work counts. */
export type WatchedService = AsyncDisposable & {
  readonly url: string
  readonly platformUrl: string
  /** The longest hold of its event loop since the last reading, its memory, what it still holds after a collection of garbage, its open files. Without `collect`, what it holds is not collected. */
  read(options?: { readonly collect: boolean }): Promise<z.output<typeof readingSchema>>
  /** Ends the service by a signal. Resolves to the milliseconds until its process is gone. */
  stop(): Promise<number>
}

const readingSchema = z.object({
  wallMs: z.number(),
  cpuMs: z.number(),
  ownMs: z.number(),
  collections: z.object({ count: z.number(), longestMs: z.number() }),
  rssMb: z.number(),
  heldMb: z.number(),
  descriptors: z.number(),
})
const environmentSchema = z.record(z.string(), z.string())

/** Of `npm start`. */
const npmStartOptions = '--max-semi-space-size=8 --v8-pool-size=1'

type WatchOptions = {
  readonly settings?: Readonly<Record<string, string>>
  /** How many descriptors the service may have open. */
  readonly descriptors?: number
  /** Agents `load1` to `loadN` beside those of the sandbox. */
  readonly agents?: number
}

export async function startWatchedService({ settings = {}, descriptors, agents = 0 }: WatchOptions = {}): Promise<WatchedService> {
  await using starting = new AsyncDisposableStack()
  const script = 'tests/prove/stage/stand-ins-process.ts'
  const standIns = starting.use(await startProcess({ script, args: [String(agents)], ready: /^(\{.*\})$/ }))
  const { path } = starting.use(await createTempDir())
  const [port, watchPort] = [await freePort(), await freePort()]
  const fixed = {
    DATA_DIR: path,
    PORT: String(port),
    WATCH_PORT: String(watchPort),
    LOG_LEVEL: 'error',
    OVERLOAD_DELAY_MS: '0',
    NODE_OPTIONS: npmStartOptions,
  }
  const own = { ...fixed, ...settings }
  const standInSettings = environmentSchema.parse(JSON.parse(standIns.said))
  const environment = { ...standInSettings, ...own }
  const service = { script: 'tests/prove/security/watched-service-process.ts', environment, ready: /Ready at (http\S+)/ }
  const watched = starting.use(await startProcess({ ...service, ...(descriptors !== undefined && { descriptors }) }))
  const running = starting.move()
  return {
    url: `http://127.0.0.1:${port}`,
    platformUrl: z.string().parse(standInSettings['PLATFORM_URL']),
    read: async ({ collect } = { collect: true }) =>
      readingSchema.parse(await (await fetch(`http://127.0.0.1:${watchPort}/${collect ? 'collected' : ''}`)).json()),
    async stop() {
      const startedAt = performance.now()
      await watched.stop()
      return performance.now() - startedAt
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
