import type { Actor } from '../../access/actor.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { mapInSlices } from '../../kernel/loop-slices.ts'
import type { TelephonySection } from '../../ports/configuration/telephony.ts'
import { noteWorkspace } from '../calls/state/record-queue.ts'
import { type AgentNames, agentNames, type NamedAgent } from '../supervision/agent-names.ts'
import type { SupervisionPorts } from '../supervision/supervision-ports.ts'
import { answeredWithin, serviceLevelOf } from '../supervision/waits.ts'
import { daysOf, incompleteDays, readableAgent } from './history-days.ts'
import { addRow, type StoredCells } from './history-cells.ts'
import { readDays, readHours, readProgress } from './history-store.ts'
import { noSums, type Sums } from './history-sums.ts'

export const historyGroupings = {
  TOTAL: [],
  DAY: ['date'],
  HOUR: ['hour'],
  DAY_AND_HOUR: ['date', 'hour'],
  CAMPAIGN: ['campaignName'],
  AGENT: ['agentId'],
  DAY_AND_CAMPAIGN: ['date', 'campaignName'],
  DAY_AND_AGENT: ['date', 'agentId'],
  AGENT_AND_CAMPAIGN: ['agentId', 'campaignName'],
  HOUR_AND_CAMPAIGN: ['hour', 'campaignName'],
  HOUR_AND_AGENT: ['hour', 'agentId'],
} as const satisfies Readonly<Record<string, readonly ('date' | 'hour' | 'agentId' | 'campaignName')[]>>

export type HistoryInput = {
  readonly from: string
  readonly to: string
  readonly groupBy: keyof typeof historyGroupings
  readonly agentId?: string | null | undefined
  readonly campaignName?: string | null | undefined
}

type Group = {
  readonly date: string | null
  readonly hour: number | null
  readonly agentId: string | null
  readonly agentName: string | null
  readonly campaignName: string | null
}
export type HistoryRow = Group & ReturnType<typeof figuresOf>
export type History = {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly timeZone: string
  readonly serviceLevelSeconds: number
  readonly incompleteDays: readonly string[]
  readonly rows: readonly HistoryRow[]
}

/** More rows are no overview. */
const maxRows = 10_000
const rowsAtOnce = 500

/** Reads the store only, so it works while the platform is down. Errors: INVALID_INPUT, NOT_YOURS, STORE_UNAVAILABLE. */
export async function readHistory(
  ports: Pick<SupervisionPorts, 'agentEntries' | 'clock' | 'configuration' | 'store'>,
  actor: Actor,
  input: HistoryInput,
): Promise<History> {
  const { workspaceId } = actor.principal
  const agentId = readableAgent(actor, input.agentId)
  const [{ visits }, { serviceLevelSeconds }] = await Promise.all([
    ports.configuration.read(workspaceId, 'platform'),
    ports.configuration.read(workspaceId, 'telephony'),
  ])
  const { timeZone } = visits
  const { dates } = daysOf(input, timeZone)
  const [progress, entries] = await Promise.all([readProgress(ports, workspaceId), ports.agentEntries.read(workspaceId)])
  // Without any call yet, no job knows the workspace.
  if (!progress) await noteWorkspace(ports, workspaceId)
  const groups = createGroups({ ...input, agentId }, agentNames(entries, []))
  const read = historyGroupings[input.groupBy].some((part) => part === 'hour') ? readHours : readDays
  const unreadable = new Set<string>()
  for await (const { place, stored } of read(ports, workspaceId, dates)) {
    if (stored) groups.add(place, stored)
    else unreadable.add(place.slice(0, 10))
    if (groups.count() > maxRows) throw invalidInput('groupBy', `gives more than ${maxRows} rows: ask for fewer days, or for larger groups`)
  }
  const now = ports.clock.now()
  const incomplete = new Set(incompleteDays(dates, { readTo: progress ? progress.readTo : now, now, timeZone }))
  return {
    id: [input.from, input.to, input.groupBy, agentId ?? '', input.campaignName ?? ''].join(':'),
    from: input.from,
    to: input.to,
    timeZone,
    serviceLevelSeconds,
    incompleteDays: dates.filter((date) => incomplete.has(date) || unreadable.has(date)),
    rows: await mapInSlices(groups.rows(), rowsAtOnce, async (some) =>
      some.map(({ sums, ...group }) => ({ ...group, ...figuresOf(sums, serviceLevelSeconds) })),
    ),
  }
}

type Summed = Group & { readonly sums: Sums }

/** Sums up cells in the groups of a grouping. `place`: a day, or an hour such as `2026-11-21T14`. */
function createGroups({ groupBy, agentId, campaignName }: HistoryInput, names: AgentNames) {
  const parts: ReadonlySet<string> = new Set(historyGroupings[groupBy])
  const summed = new Map<string, Summed>()
  const isOfAgent = parts.has('agentId')
  return {
    count: () => summed.size,
    add(place: string, stored: StoredCells): void {
      const date = parts.has('date') ? place.slice(0, 10) : null
      const hour = parts.has('hour') ? Number(place.slice(11, 13)) : null
      // Once for each text, and not for each cell: a month has 10,000.
      const agents = stored.agents.map(([id, name]) => {
        const agent = currentAgent({ agentId: id, agentName: name }, names)
        const shown = isOfAgent ? agent : { agentId: null, agentName: null }
        return { ...shown, key: JSON.stringify([date, hour, shown.agentId]), isWanted: (agentId ?? agent.agentId) === agent.agentId }
      })
      const campaigns = stored.campaigns.map((name) => {
        const shown = parts.has('campaignName') ? name : null
        return { campaignName: shown, key: JSON.stringify(shown), isWanted: (campaignName ?? name) === name }
      })
      for (const row of stored.cells) {
        const [agent, campaign] = [agents[row[0] ?? -1], campaigns[row[1] ?? -1]]
        if (!agent?.isWanted || !campaign?.isWanted) continue
        const key = agent.key + campaign.key
        let known = summed.get(key)
        if (!known) {
          known = { date, hour, agentId: agent.agentId, agentName: agent.agentName, campaignName: campaign.campaignName, sums: noSums() }
          summed.set(key, known)
        }
        addRow(known.sums, stored, row)
      }
    },
    rows: (): readonly Summed[] => [...summed.values()].toSorted(inOrder),
  }
}

/** The record that has the agent's id now; it may not have been known when the calls were counted. Its name then, if it is gone. */
function currentAgent({ agentId, agentName }: NamedAgent, names: AgentNames): NamedAgent {
  if (agentId === null) return { agentId, agentName }
  const found = names.find({ providerAgentId: agentId, recordId: agentId })
  return found.agentId === agentId && found.agentName === agentId ? { agentId, agentName: agentName ?? agentId } : found
}

function inOrder(one: Group, other: Group): number {
  return (
    compare(one.date, other.date) ||
    (one.hour ?? 0) - (other.hour ?? 0) ||
    compare(one.agentName, other.agentName) ||
    compare(one.agentId, other.agentId) ||
    compare(one.campaignName, other.campaignName)
  )
}

/** Null comes last. */
function compare(one: string | null, other: string | null): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  return one < other ? -1 : 1
}

function figuresOf(sums: Sums, serviceLevelSeconds: TelephonySection['serviceLevelSeconds']) {
  const { waits, dispositions, returnSeconds, waitSeconds, ...counts } = sums
  const answeredInTime = answeredWithin(waits, serviceLevelSeconds)
  const ended = sums.answeredInbound + sums.missed
  return {
    ...counts,
    answeredInTime,
    serviceLevel: serviceLevelOf(answeredInTime, sums),
    answerRate: ended === 0 ? null : sums.answeredInbound / ended,
    averageWaitSeconds: average(waitSeconds, sums.answeredInbound),
    averageTalkSeconds: average(sums.talkSeconds, sums.timed),
    averageWrapUpSeconds: average(sums.wrapUpSeconds, sums.wrapUps),
    averageHandlingSeconds: average(sums.handlingSeconds, sums.timed),
    averageReturnSeconds: average(returnSeconds, sums.returned),
    dispositions: [...dispositions].map(([disposition, calls]) => ({ disposition, calls })).toSorted(mostFirst),
  }
}

type Count = { readonly disposition: string; readonly calls: number }

function mostFirst(one: Count, other: Count): number {
  return other.calls - one.calls || compare(one.disposition, other.disposition)
}

function average(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round(sum / count)
}
