import { z } from 'zod'
import { type Api, read, readShape, StepFault } from './api.ts'
import { poll } from './poll.ts'
import type { TourLead } from './platform-steps.ts'
import type { SignIn } from './session-steps.ts'
import { clockTime, type StepResult } from './step-result.ts'

const insightSchema = z.object({ summary: z.string(), suggestedAction: z.string().nullable(), writtenAt: z.string().nullable() })
const leadSchema = z.object({ id: z.string(), name: z.string(), status: z.string().nullable(), insight: insightSchema.nullable() })
const lookupSchema = z.object({
  phoneNumber: z.string(),
  match: z.enum(['NONE', 'ONE', 'MANY']),
  lead: leadSchema.nullable(),
  candidates: z.array(leadSchema),
  lastCalls: z.array(z.object({ startedAt: z.string().nullable(), direction: z.string().nullable(), disposition: z.string().nullable() })),
})

/** Looks up the lead by its number. The value is the time of the lead's last insight. */
export async function lookUp(api: Api, { token }: SignIn, lead: TourLead): Promise<StepResult<string | null>> {
  const answer = await api.rest('POST', '/api/calls/lookup', { token, body: { phoneNumber: lead.phoneNumber } })
  const found = read(answer, 200, lookupSchema)
  if (!found.candidates.some(({ id }) => id === lead.id))
    throw new StepFault(`${answer.request} does not find ${lead.name} by ${lead.phoneNumber}`)
  const [last] = found.lastCalls
  const others = found.match === 'MANY' ? ` and ${found.candidates.length - 1} more` : ''
  return {
    summary: `${found.phoneNumber} is ${lead.name}${others}, ${found.candidates[0]?.status ?? 'without a status'}`,
    facts: {
      'last calls': last
        ? `${found.lastCalls.length}; ${[last.direction, last.startedAt?.slice(0, 10), last.disposition].filter(Boolean).join(', ')}`
        : 'none',
    },
    value: found.candidates.find(({ id }) => id === lead.id)?.insight?.writtenAt ?? null,
  }
}

export type TourCall = { readonly ucid: string; readonly disposition: string; readonly notes: string }

export async function dispose(api: Api, { token }: SignIn, { lead, call }: { lead: TourLead; call: TourCall }): Promise<StepResult> {
  const { ucid, disposition, notes } = call
  const path = `/api/calls/${encodeURIComponent(ucid)}/disposition`
  const answer = await api.rest('POST', path, { token, body: { disposition, notes, leadId: lead.id, next: { state: 'READY' } } })
  const receipt = read(answer, 200, z.object({ ucid: z.string(), outcome: z.string(), eventId: z.string() }))
  if (receipt.ucid !== ucid) throw new StepFault(`${answer.request} answered for call ${receipt.ucid}, not ${ucid}`)
  return {
    summary: `"${disposition}" for call ${ucid}: ${receipt.outcome}`,
    facts: { event: `call.completed ${receipt.eventId}` },
    value: undefined,
  }
}

const insightDeadlineMs = 45_000
const insightQuery = /* GraphQL */ `
  query LeadInsight($id: UUID!) {
    lead(filter: { id: { eq: $id } }) {
      insight {
        summary
        suggestedAction
        writtenAt
      }
    }
  }
`

/** Polls until the lead has an insight that is newer than the previous one. */
export async function insightArrives(
  api: Api,
  { token }: SignIn,
  { lead, before }: { lead: TourLead; before: string | null },
): Promise<StepResult> {
  const insight = await poll(
    `a new insight on ${lead.name}`,
    async () => {
      const data = await api.graphql(insightQuery, { token, variables: { id: lead.id } })
      const { insight } = readShape(data, z.object({ lead: z.object({ insight: insightSchema.nullable() }) }), 'POST /graphql').lead
      return insight?.writtenAt && insight.writtenAt !== before ? insight : null
    },
    insightDeadlineMs,
  )
  return {
    summary: insight.summary,
    facts: { lead: lead.name, suggested: insight.suggestedAction, written: clockTime(insight.writtenAt ?? '') },
    value: undefined,
  }
}
