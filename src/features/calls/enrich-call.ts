import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import { plainText } from '../../ports/insight.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { LeadActivityRecords } from '../../ports/insight-records.ts'
import { AppError } from '../../kernel/errors.ts'
import { asPerson } from '../../ports/record-access.ts'
import type { Store } from '../../ports/store.ts'
import type { LookedUpCall } from './look-up-call.ts'
import { createStoredJson, type StoredJson } from './stored-json.ts'

export type EnrichCallDeps = {
  readonly activity: LeadActivityRecords
  readonly languageModelOf: (workspaceId: string) => Promise<LanguageModel>
  readonly store: Store
}

const answerSchema = z.object({
  whoIsThis: z.string().max(600).describe('Who this is, in two plain sentences'),
  likelyReason: z.string().max(300).describe('Why they probably call now, in one plain sentence'),
  suggestedOpening: z.string().max(300).describe('What the agent could say first, in one friendly sentence'),
})
type Answer = z.output<typeof answerSchema>
export type Enrichment = ({ readonly available: true } & Answer) | { readonly available: false; readonly reason: string }

/** For all of it: an agent reads it while the call rings. */
const budgetMs = 4_000
const keptMs = 3_600_000

const instructions = `You help an agent of a hospital's call center in the seconds before a call is answered. You read what is recorded about
the caller. Be brief and plain: no markup, no links, no addresses. Say nothing that is not recorded, and nothing medical as a fact.`

/**
 * What a model makes of who calls, within four seconds and once per call. It is never an error: where there is none, the result says why.
 */
export function createEnrichCall({ activity, languageModelOf, store }: EnrichCallDeps) {
  const answers = createStoredJson(store, { schema: answerSchema, ttlMs: keptMs })

  return async (caller: Actor, call: LookedUpCall): Promise<Enrichment> => {
    if (!call.lead)
      return { available: false, reason: call.candidates.length > 1 ? 'Several leads have this number' : 'Nobody is known by this number' }
    const { workspaceId } = caller.principal
    const key = `enrichment:${workspaceId}:${caller.principal.memberId}:${call.call?.ucid ?? 'number'}:${call.lead.id}`
    const asked = { caller, call, leadId: call.lead.id, signal: AbortSignal.timeout(budgetMs) }
    try {
      const known = await answers.read(key)
      return {
        available: true,
        ...(known ?? (await ask(asked, { activity, languageModelOf, keep: (answer) => keep(answers, key, answer) }))),
      }
    } catch (error) {
      return { available: false, reason: reasonOf(error) }
    }
  }
}

type Asked = { readonly caller: Actor; readonly call: LookedUpCall; readonly leadId: string; readonly signal: AbortSignal }
type Means = Pick<EnrichCallDeps, 'activity' | 'languageModelOf'> & { readonly keep: (answer: Answer) => Promise<void> }

async function ask({ caller, call, leadId, signal }: Asked, { activity, languageModelOf, keep }: Means): Promise<Answer> {
  const { workspaceId } = caller.principal
  const [model, known] = await Promise.all([
    languageModelOf(workspaceId),
    activity.read(asPerson(workspaceId, caller.accessToken), leadId, signal),
  ])
  const { output } = await model.structured({
    instructions,
    prompt: 'Who calls, why probably, and how to begin?',
    data: {
      lead: JSON.stringify(call.lead),
      call: JSON.stringify(call.call && { direction: call.call.direction, campaign: call.call.campaignName }),
      lastCalls: JSON.stringify(call.lastCalls),
      openItems: JSON.stringify(call.openItems),
      nextVisit: JSON.stringify(call.nextVisit),
      notes: JSON.stringify(known?.notes ?? []),
    },
    schema: answerSchema,
    deadlineMs: budgetMs,
    signal,
  })
  const answer = {
    whoIsThis: plainText(output.whoIsThis, 600),
    likelyReason: plainText(output.likelyReason, 300),
    suggestedOpening: plainText(output.suggestedOpening, 300),
  }
  await keep(answer)
  return answer
}

/** A cache that cannot be written costs the next reader the time, no more. */
async function keep(answers: StoredJson<Answer>, key: string, answer: Answer): Promise<void> {
  await answers.write(key, answer).catch(() => undefined)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof AppError)) return 'It could not be made'
  if (error.reason === 'NOT_CONFIGURED') return error.message
  return error.reason === 'DEADLINE_PASSED' ? 'The language model took longer than 4 seconds' : 'The language model is not available'
}
