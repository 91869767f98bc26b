import type { Ports } from '../../../ports/ports.ts'

/** How many leads of unknown callers were created in the current clock hour. Errors of all functions: STORE_UNAVAILABLE. */

export type NewLeadUse = {
  readonly enabled: boolean
  readonly createdThisHour: number
  readonly maxPerHour: number
  /** Calls of unknown callers that got no lead, because the limit was reached. */
  readonly leftOutThisHour: number
}

type LimitPorts = Pick<Ports, 'clock' | 'configuration' | 'store'>

const hourMs = 3_600_000
const counterTtlMs = 2 * hourMs

export async function readNewLeadUse(ports: LimitPorts, workspaceId: string): Promise<NewLeadUse> {
  const { enabled, maxPerHour } = (await ports.configuration.read(workspaceId, 'telephony')).newLeads
  const keys = keysOf(ports, workspaceId)
  const [created = 0, leftOut = 0] = (await ports.store.getMany([keys.created, keys.leftOut])).map(Number)
  return { enabled, createdThisHour: created, maxPerHour, leftOutThisHour: leftOut }
}

/** Counts a lead that is about to be created; null if the hour has had its leads. Call `release` if none was created, or it was withdrawn. */
export async function reserveNewLead(
  ports: LimitPorts & Pick<Ports, 'log'>,
  workspaceId: string,
): Promise<{ release(): Promise<void> } | null> {
  const { store, log } = ports
  const { maxPerHour } = (await ports.configuration.read(workspaceId, 'telephony')).newLeads
  const keys = keysOf(ports, workspaceId)
  const release = async (): Promise<void> => void (await store.increment(keys.created, -1, { ttlMs: counterTtlMs }))
  if ((await store.increment(keys.created, 1, { ttlMs: counterTtlMs })) <= maxPerHour) return { release }
  await release()
  const leftOut = await store.increment(keys.leftOut, 1, { ttlMs: counterTtlMs })
  if (leftOut === 1) log.warn({ workspaceId, maxPerHour }, 'new-leads.hourly-limit-reached')
  return null
}

function keysOf({ clock }: Pick<Ports, 'clock'>, workspaceId: string) {
  const hour = Math.floor(clock.now() / hourMs)
  return { created: `new-leads:${workspaceId}:${hour}`, leftOut: `new-leads-left-out:${workspaceId}:${hour}` }
}
