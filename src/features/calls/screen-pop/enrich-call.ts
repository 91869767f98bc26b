import { deadlineSignal } from '../../../kernel/deadlines.ts'
import { z } from 'zod'
import type { Actor } from '../../../access/actor.ts'
import { AppError, type ErrorReason } from '../../../kernel/errors.ts'
import { countUse } from '../../../ports/figures.ts'
import { plainText } from '../../../kernel/text.ts'
import type { Member } from '../../../ports/agents.ts'
import { asPerson } from '../../../ports/record-access.ts'
import { Family } from '../../../ports/stored/family.ts'
import type { CallPorts } from '../state/call-ports.ts'
import type { LookedUpCall } from './look-up-call.ts'

const answerSchema = z.object({
  whoIsThis: z.string().min(1).max(600).describe('Who this is, in two plain sentences'),
  likelyReason: z.string().min(1).max(300).describe('Why they probably call now, in one plain sentence'),
  suggestedOpening: z.string().min(1).max(300).describe('What the agent could say first, in one friendly sentence'),
})
type Answer = z.output<typeof answerSchema>
/** `reason`: why there is no answer, for the agent to read. */
export type Enrichment = ({ readonly available: true } & Answer) | { readonly available: false; readonly reason: string }

/** For the whole enrichment: an agent reads it while the call rings. */
const budgetMs = 4_000

export const enrichments = new Family({
  name: 'enrichment',
  key: ({ workspaceId, memberId, ucid, leadId }: Member & { readonly ucid: string | null; readonly leadId: string }) => [
    workspaceId,
    memberId,
    ucid ?? 'number',
    leadId,
  ],
  schema: answerSchema,
  lifetime: 3_600_000,
  about: 'person',
  what: "the model's hints for a call",
})

const instructions = `You help an agent of a hospital's call center in the seconds before a call is answered. You read what is recorded about
the caller. Be brief and plain: no markup, no links, no addresses. Say nothing that is not recorded, and nothing medical as a fact.`

function whyNobody({ candidates, unavailable }: LookedUpCall): string {
  if (unavailable.includes('PLATFORM')) return 'The platform does not answer'
  return candidates.length > 1 ? 'Several leads have this number' : 'Nobody is known by this number'
}

type EnrichPorts = Pick<CallPorts, 'figures' | 'languageModelOf' | 'leadActivity' | 'store'>

/** A model's summary of who calls and why, within four seconds and once per call. Never throws: without an answer, `reason` says why. */
export async function enrichCall(ports: EnrichPorts, actor: Actor, call: LookedUpCall): Promise<Enrichment> {
  if (!call.lead) return { available: false, reason: whyNobody(call) }
  const { workspaceId, memberId } = actor.principal
  const key = { workspaceId, memberId, ucid: call.call?.ucid ?? null, leadId: call.lead.id }
  try {
    const known = await enrichments.read(ports, key)
    countUse(ports.figures.caches.enrichments, known !== null)
    if (known) return { available: true, ...known }
    const answer = await askModel(ports, actor, { call, leadId: call.lead.id })
    // Without the cached answer the next reader waits for the model again, no more.
    await enrichments.write(ports, key, { value: answer }).catch(() => undefined)
    return { available: true, ...answer }
  } catch (error) {
    return { available: false, reason: reasonOf(error) }
  }
}

type Subject = { readonly call: LookedUpCall; readonly leadId: string }

async function askModel(ports: EnrichPorts, { principal, accessToken }: Actor, { call, leadId }: Subject): Promise<Answer> {
  const { workspaceId } = principal
  const signal = deadlineSignal(budgetMs)
  const [model, activity] = await Promise.all([
    ports.languageModelOf(workspaceId),
    ports.leadActivity.read(asPerson(workspaceId, accessToken), leadId, signal),
  ])
  const { output } = await model.structured({
    instructions,
    prompt: 'Who calls, why probably, and how to begin?',
    data: {
      lead: JSON.stringify(call.lead),
      call: JSON.stringify(call.call && { direction: call.call.direction, campaign: call.call.campaignName }),
      lastCalls: JSON.stringify(call.lastCalls),
      openItems: JSON.stringify(call.openItems.map(({ kind, title, dueAt }) => ({ kind, title, dueAt }))),
      nextVisit: JSON.stringify(call.nextVisit),
      notes: JSON.stringify(activity?.notes ?? []),
    },
    schema: answerSchema,
    signal,
  })
  return {
    whoIsThis: plainText(output.whoIsThis, 600),
    likelyReason: plainText(output.likelyReason, 300),
    suggestedOpening: plainText(output.suggestedOpening, 300),
  }
}

/** The errors of a model that has answered, or cannot be asked. */
const saying: ReadonlySet<ErrorReason> = new Set(['NOT_CONFIGURED', 'PROVIDER_REFUSED', 'PROVIDER_ANSWER_INVALID'])

function reasonOf(error: unknown): string {
  if (!(error instanceof AppError)) return 'It could not be made'
  if (saying.has(error.reason)) return error.message
  return error.reason === 'DEADLINE_PASSED' ? 'The language model took longer than 4 seconds' : 'The language model is not available'
}
