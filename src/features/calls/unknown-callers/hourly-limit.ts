import type { Ports } from '../../../ports/ports.ts'
import { Counter } from '../../../ports/stored/counter.ts'

/**
 * How many leads of unknown callers were created in the current clock hour. Errors of all functions: STORE_UNAVAILABLE.
 */

export type NewLeadUse = {
  readonly enabled: boolean
  readonly createdThisHour: number
  readonly maxPerHour: number
  /** Calls of unknown callers that got no lead, because the limit was reached. */
  readonly leftOutThisHour: number
}

type LimitPorts = Pick<Ports, 'clock' | 'configuration' | 'store'>

const hourMs = 3_600_000
const counterMs = 2 * hourMs

/** `hour`: hours since the epoch. */
type HourKey = { readonly workspaceId: string; readonly hour: number }
const keyParts = ({ workspaceId, hour }: HourKey): readonly string[] => [workspaceId, String(hour)]

export const createdLeads = new Counter({
  name: 'new-leads',
  key: keyParts,
  lifetime: counterMs,
  about: 'nothing',
  what: 'how many leads were created in an hour',
})

export const leftOutCallers = new Counter({
  name: 'new-leads-left-out',
  key: keyParts,
  lifetime: counterMs,
  about: 'nothing',
  what: 'how many callers were left out in an hour',
})

export async function readNewLeadUse(ports: LimitPorts, workspaceId: string): Promise<NewLeadUse> {
  const { enabled, maxPerHour } = (await ports.configuration.read(workspaceId, 'telephony')).newLeads
  const key = keyNow(ports, workspaceId)
  const [created, leftOut] = await Promise.all([createdLeads.read(ports, key), leftOutCallers.read(ports, key)])
  return { enabled, createdThisHour: created, maxPerHour, leftOutThisHour: leftOut }
}

/**
 * Counts a lead that is about to be created; null if the hour has had its leads. Call `release` if none was created, or
 * it was withdrawn.
 */
export async function reserveNewLead(
  ports: LimitPorts & Pick<Ports, 'log'>,
  workspaceId: string,
): Promise<{ release(): Promise<void> } | null> {
  const { log } = ports
  const { maxPerHour } = (await ports.configuration.read(workspaceId, 'telephony')).newLeads
  const key = keyNow(ports, workspaceId)
  const release = async (): Promise<void> => void (await createdLeads.add(ports, key, -1))
  if ((await createdLeads.add(ports, key, 1)) <= maxPerHour) return { release }
  await release()
  const leftOut = await leftOutCallers.add(ports, key, 1)
  if (leftOut === 1) log.warn({ workspaceId, maxPerHour }, 'new-leads.hourly-limit-reached')
  return null
}

function keyNow({ clock }: Pick<Ports, 'clock'>, workspaceId: string): HourKey {
  return { workspaceId, hour: Math.floor(clock.now() / hourMs) }
}
