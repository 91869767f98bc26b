import type { LanguageModel } from '../../ports/language-model.ts'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Desk } from './chat/assistant-tools.ts'
import { historyOf, tokensIn } from './chat/history.ts'
import { instructionsFor } from './chat/instructions.ts'
import { readQuestion } from './chat/question.ts'
import { createReferences } from './chat/references.ts'
import type { ReplyPart } from './chat/reply-parts.ts'
import { type Answering, sayAgain, sayReply } from './chat/say-reply.ts'
import type { PassOn, ReadReception, Reception } from './chat/ports.ts'
import { replyTo, type Talk, withQuestion } from './chat/conversation.ts'
import type { OpenTalk, Talks } from './chat/conversations.ts'
import type { TalkTurns, Turn } from './chat/reply-lease.ts'
import { createToolbox } from './chat/toolbox.ts'
import type { HoldSlot } from './hold-slot.ts'
import type { ReadOffer } from './read-availability.ts'
import type { TokenBudget } from './token-budget.ts'
import type { VisitorLimits } from './visitor-limits.ts'

export type AnswerVisitorDeps = {
  readonly talks: Talks
  readonly turns: TalkTurns
  /** Made anew for each reply, from the configuration as it stands. */
  readonly languageModelOf: (workspaceId: string) => Promise<Pick<LanguageModel, 'converse'>>
  readonly receptionOf: ReadReception
  readonly budget: TokenBudget
  readonly limits: Pick<VisitorLimits, 'message' | 'handOver'>
  readonly readOffer: ReadOffer
  readonly holdSlot: HoldSlot
  readonly passOn: PassOn
  readonly clock: Clock
  readonly log: Log
}

export type ChatVisitor = {
  readonly workspaceId: string
  readonly widgetKey: string
  readonly clientAddress: string
  /** What they sent, as it came: `{ id, message: { id, role, parts } }`. */
  readonly question: unknown
  /** Aborts when the visitor leaves. */
  readonly signal: AbortSignal
}

/**
 * Answers a visitor's message, word by word. Resolves once the reply can begin; what is not as it must be is thrown before that:
 * INVALID_INPUT, ASSISTANT_MISSING (no language model), WRONG_STATE (switched off, another message is being answered, or the talk has gone on),
 * TOO_MANY_TRIES (the day's tokens, or the talk's messages, are used up), STORE_UNAVAILABLE. Later faults come as `failed`. The parts must be
 * read, from the first one at least. A message that was answered already gets the same reply again, at no cost.
 */
export type AnswerVisitor = (visitor: ChatVisitor) => Promise<AsyncIterable<ReplyPart>>

const mostSteps = 5
const mostTokensPerStep = 600
const mostQuestions = 100
const toolTokens = 800

export function createAnswerVisitor(deps: AnswerVisitorDeps): AnswerVisitor {
  return async (visitor) => {
    const { workspaceId, widgetKey } = visitor
    const question = readQuestion(visitor.question)
    await deps.limits.message(visitor.clientAddress)
    const [model, reception] = await Promise.all([modelOf(deps, workspaceId), deps.receptionOf(workspaceId)])
    const place = { workspaceId, widgetKey, talkId: question.talkId }
    const turn = await deps.turns.take(place, question.id)
    try {
      const open = await deps.talks.open(place)
      const said = replyTo(open.talk, question.id)
      if (said) {
        await turn.end()
        return sayAgain(said)
      }
      const answering = await prepare(deps, { visitor, question, open, turn, model, reception })
      return sayReply(answering)
    } catch (error) {
      await turn.end()
      throw error
    }
  }
}

type Preparing = {
  readonly visitor: ChatVisitor
  readonly question: ReturnType<typeof readQuestion>
  readonly open: OpenTalk
  readonly turn: Turn
  readonly model: Pick<LanguageModel, 'converse'>
  readonly reception: Reception
}

async function prepare(deps: AnswerVisitorDeps, preparing: Preparing): Promise<Answering> {
  const { visitor, question, open, turn, model, reception } = preparing
  const { workspaceId } = visitor
  let talk = asked(open.talk, question)
  const save = async (change: Partial<Talk>): Promise<void> => {
    talk = { ...talk, ...change }
    if (!(await open.save(talk))) throw new DOMException('The reply was taken over', 'AbortError')
  }
  const toolbox = createToolbox(deskOf(deps, { visitor, talkId: question.talkId, reception, talk: () => talk, change: save }))
  const instructions = instructionsFor(reception, deps.clock.now())
  const messages = historyOf(talk)
  const heard = tokensIn(instructions + JSON.stringify(messages)) + toolTokens
  const used = await deps.budget.take(workspaceId, mostSteps * (heard + mostTokensPerStep))
  await save({}).catch(async (error: unknown) => {
    await used(0)
    throw error
  })
  const signal = AbortSignal.any([visitor.signal, turn.signal])
  return {
    parts: model.converse({
      instructions,
      messages,
      tools: toolbox.tools,
      maxSteps: mostSteps,
      maxOutputTokens: mostTokensPerStep,
      signal,
    }),
    replyId: derivedId('widget-reply', workspaceId, question.talkId, question.id),
    talk: () => talk,
    end: () => turn.end(),
    log: deps.log,
    heard,
    cardOf: (callId) => toolbox.cardOf(callId),
    save,
    used,
    signal,
  }
}

type DeskOfReply = Pick<Desk, 'talkId' | 'reception' | 'talk' | 'change'> & { readonly visitor: ChatVisitor }

function deskOf(deps: AnswerVisitorDeps, { visitor, ...own }: DeskOfReply): Desk {
  const { workspaceId, clientAddress } = visitor
  const { doctors, slots } = own.talk()
  const references = { doctors: createReferences('D', doctors), slots: createReferences('S', slots) }
  const { readOffer, holdSlot, passOn, limits, log, clock } = deps
  return { workspaceId, clientAddress, ...own, ...references, readOffer, holdSlot, passOn, limits, log, now: () => clock.now() }
}

function asked(talk: Talk, question: { readonly id: string; readonly text: string }): Talk {
  const next = withQuestion(talk, question)
  if (!next) throw new AppError('WRONG_STATE', { detail: 'The talk has gone on since this message' })
  if (next.asked > mostQuestions) throw new AppError('TOO_MANY_TRIES', { detail: 'This talk has become long: begin a new one' })
  return next
}

/** What is missing is the manager's business, not the visitor's. */
async function modelOf({ languageModelOf }: AnswerVisitorDeps, workspaceId: string): Promise<Pick<LanguageModel, 'converse'>> {
  try {
    return await languageModelOf(workspaceId)
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.reason !== 'NOT_CONFIGURED') throw cause
    throw new AppError('ASSISTANT_MISSING', { detail: 'There is no assistant to chat with here', cause })
  }
}
