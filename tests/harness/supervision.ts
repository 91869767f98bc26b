import { z } from 'zod'

const counts = z.object({
  calls: z.number(),
  offered: z.number(),
  answered: z.number(),
  answeredInbound: z.number(),
  answeredInTime: z.number(),
  serviceLevel: z.number().nullable(),
  missed: z.number(),
  unreached: z.number(),
  averageHandlingSeconds: z.number().nullable(),
  averageTalkSeconds: z.number().nullable(),
  averageWrapUpSeconds: z.number().nullable(),
})
const atOnce = z.object({ ringing: z.number(), onCall: z.number() })
const named = z.object({ agentId: z.string().nullable(), agentName: z.string().nullable() })

/** The overview as the REST path answers it. */
export const overviewSchema = z.object({
  at: z.string(),
  agents: z.array(
    z.looseObject({ agentName: z.string(), providerAgentId: z.string(), state: z.string().nullable(), since: z.string().nullable() }),
  ),
  callsNow: atOnce.extend({
    waiting: z.number(),
    longestWaitSince: z.string().nullable(),
    byAgent: z.array(atOnce.extend(named.shape)),
    byCampaign: z.array(atOnce.extend({ campaignName: z.string().nullable() })),
    calls: z.array(z.looseObject({ ...named.shape, ucid: z.string(), phase: z.string(), since: z.string().nullable() })),
  }),
  today: z.object({
    date: z.string(),
    timeZone: z.string(),
    complete: z.boolean(),
    serviceLevelSeconds: z.number(),
    total: counts,
    byAgent: z.array(named.extend({ counts })),
    byCampaign: z.array(z.object({ campaignName: z.string().nullable(), counts })),
    byDisposition: z.array(z.object({ disposition: z.string().nullable(), counts })),
    byHour: z.array(z.object({ hour: z.number(), counts })),
  }),
  missedWaiting: z.object({ count: z.number(), oldestAt: z.string().nullable(), calls: z.array(z.looseObject({ ucid: z.string() })) }),
  unknownCallers: z.object({
    enabled: z.boolean(),
    createdThisHour: z.number(),
    maxPerHour: z.number(),
    leftOutThisHour: z.number(),
  }),
  freeSlots: z.array(z.looseObject({ doctorName: z.string(), today: z.number(), total: z.number(), nextStartsAt: z.string().nullable() })),
})
export type OverviewAnswer = z.output<typeof overviewSchema>
