import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { StandIn } from './stand-in.ts'

const portsSchema = z.record(z.string(), z.int())

/** Starts stand-ins on the ports that they had before, because stored configuration and records contain them. */
export type PortKeeper = {
  /** Throws an error for people if the port is taken. */
  start<S extends Pick<StandIn, 'url'>>(name: string, start: (at: { readonly port?: number }) => Promise<S>): Promise<S>
  /** Stores the ports of everything that was started. */
  store(): Promise<void>
}

/** `dataDir`: where the ports are stored; null: nowhere. */
export async function openPortKeeper(dataDir: string | null): Promise<PortKeeper> {
  if (dataDir !== null) await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = dataDir === null ? null : join(dataDir, 'sandbox-ports.json')
  const known = file === null ? {} : await readPorts(file)
  const ports: Record<string, number> = { ...known }
  return {
    async start(name, start) {
      const port = known[name]
      const standIn = await start(port === undefined ? {} : { port }).catch((error: unknown) => {
        throw isTaken(error) ? takenError(error, file) : error
      })
      ports[name] = Number(new URL(standIn.url).port)
      return standIn
    },
    async store() {
      if (file !== null && Object.keys(ports).length > Object.keys(known).length)
        await writeFile(file, JSON.stringify(ports), { mode: 0o600 })
    },
  }
}

async function readPorts(file: string): Promise<Record<string, number>> {
  try {
    return portsSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
}

function isTaken(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

function takenError(cause: Error, file: string | null): Error {
  return new Error(`A port that the sandbox used before is taken (${cause.message}). Is it running already? Else delete ${file}.`, {
    cause,
  })
}
