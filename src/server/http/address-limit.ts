import { z } from 'zod'
import type { Log } from '../../kernel/log.ts'
import type { Connection } from './connection.ts'

/**
 * Limits the connections of one address that have shown no valid token. At the limit, the oldest that waits for its client (for a request,
 * for the rest of one, for the answer to be read) is closed for the new one: who keeps connections without using them locks out nobody.
 */
export type AddressLimit = {
  /** Counts the connection for this address. False if the address has too many, and the service works for each of them. */
  admit(connection: Connection, network: string): boolean
  release(connection: Connection): void
}

type LimitFigures = { displaced: number; refused: number }

/** At most half of the files that the process may have open: the rest is for other clients, the store and the platform. */
export function affordable(most: number): number {
  openFiles ??= readOpenFiles()
  return Number.isInteger(openFiles) ? Math.min(most, Math.max(1, Math.floor(openFiles / 2))) : most
}

/** A report of the process takes milliseconds, and its limit does not change. NaN: it has none. */
let openFiles: number | undefined
function readOpenFiles(): number {
  const { userLimits } = reportSchema.parse(process.report.getReport())
  return Number(userLimits?.open_files.soft ?? Number.NaN)
}

/** Windows has no such limit. */
const reportSchema = z.object({ userLimits: z.object({ open_files: z.object({ soft: z.union([z.number(), z.string()]) }) }).optional() })

const reportEveryMs = 60_000
const advice = 'One address has more connections without a token than HTTP_CONNECTIONS_PER_ADDRESS; if it is an office, raise the setting'

export function createAddressLimit(most: number, { figures, log }: { figures: LimitFigures; log: Pick<Log, 'warn'> }): AddressLimit {
  const networks = new Map<string, Set<Connection>>()
  let reportedAt = Number.NEGATIVE_INFINITY

  const release = (connection: Connection): void => {
    const { countedFor } = connection
    if (countedFor === null) return
    connection.countedFor = null
    const counted = networks.get(countedFor)
    counted?.delete(connection)
    if (counted?.size === 0) networks.delete(countedFor)
  }
  /** Once a minute, and without the address, because it may be a person's. */
  const reportRefused = (): void => {
    if (performance.now() - reportedAt < reportEveryMs) return
    reportedAt = performance.now()
    log.warn({ advice }, 'http.connections-refused')
  }
  const makeRoom = (counted: ReadonlySet<Connection>): void => {
    for (const connection of counted) {
      if (counted.size < most) return
      if (isAuthenticated(connection)) release(connection)
      else if (waitsForClient(connection)) {
        release(connection)
        connection.socket.destroy()
        figures.displaced += 1
      }
    }
  }

  return {
    release,
    admit(connection, network) {
      release(connection)
      const before = networks.get(network)
      if (before && before.size >= most) makeRoom(before)
      if (before && before.size >= most) {
        figures.refused += 1
        reportRefused()
        return false
      }
      // The group may have become empty, and then it is no longer in the map.
      const counted = networks.get(network) ?? new Set()
      networks.set(network, counted.add(connection))
      connection.countedFor = network
      return true
    },
  }
}

function isAuthenticated({ newest }: Connection): boolean {
  for (let ctx = newest; ctx; ctx = ctx.older) if (ctx.isAuthenticated) return true
  return false
}

/** The service has nothing to do for it. */
function waitsForClient({ newest, queued }: Connection): boolean {
  if (queued > 0) return false
  for (let ctx = newest; ctx; ctx = ctx.older) {
    if (ctx.request.complete && !ctx.response.writableEnded && !ctx.waitsForClient) return false
  }
  return true
}
