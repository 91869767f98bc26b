import { type Clock, systemClock } from '../clock.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'
import { commandsOf, type PlatformCommands } from './commands.ts'
import { openHandlers } from './handlers.ts'
import { seedWorld } from './seed.ts'
import { openStorage } from './storage.ts'
import type { Version } from './workspace-model.ts'
import { openWorld, type World } from './fixtures.ts'

export interface PlatformStandIn extends StandIn, PlatformCommands {
  /** The template of a workspace's frontend address, for PLATFORM_WORKSPACE_URL: `http://{workspace}.localhost:PORT`. */
  readonly workspaceUrl: string
}

type PlatformOptions = {
  readonly clock?: Clock
  /** The SQLite file that holds users, tokens and records; null: they stay in memory. */
  readonly dataFile: string | null
  readonly port?: number
  /** Where recordings are served; seeded calls then have links `<base>/recordings/call-001.wav`, ... */
  readonly recordingBaseUrl?: string
  /** Whether a new data file starts as a platform that was just installed: roles Admin, Member and Guest, no custom objects, no records. */
  readonly isFresh?: boolean
  /** Of a new data file; `2.21` when left out. */
  readonly version?: Version
}

/**
 * Plays the CRM platform of version 2.21: `POST /metadata` for sign-in, members, roles and the data model, `POST /graphql` for the
 * records of the workspaces `demo` and `acme`. Shapes and wordings follow answers recorded from a real server.
 */
export async function startPlatform({ clock = systemClock, version = '2.21', ...options }: PlatformOptions): Promise<PlatformStandIn> {
  const { dataFile, port, recordingBaseUrl, isFresh = false } = options
  const storage = openStorage(dataFile)
  let ownPort = port ?? 0
  const frontendUrl = (subdomain: string): string => `http://${subdomain}.localhost:${ownPort}`
  const open = async (ofVersion: Version): Promise<World> => {
    const world = await openWorld({ clock, storage, frontendUrl, version: ofVersion })
    await seedWorld(world, { recordingBaseUrl: recordingBaseUrl ?? null, isFresh })
    return world
  }
  let world = await open(version)
  const handlers = openHandlers(clock, () => world)
  const reset = async (ofVersion: Version): Promise<void> => {
    world.close()
    storage.clear()
    handlers.limit.reset()
    world = await open(ofVersion)
  }
  const commands = commandsOf(() => world, handlers.limit, reset)
  const standIn = await startStandIn({
    name: 'platform',
    handle: handlers.handle,
    operationOf: handlers.operationOf,
    commands: commands.remote,
    ...(port === undefined ? {} : { port }),
  })
  ownPort = Number(new URL(standIn.url).port)
  return {
    ...standIn,
    ...commands.local,
    workspaceUrl: frontendUrl('{workspace}'),
    async [Symbol.asyncDispose]() {
      await standIn[Symbol.asyncDispose]()
      world.close()
      storage.close()
    },
  }
}
