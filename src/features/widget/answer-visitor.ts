import { AppError } from '../../kernel/errors.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import { replyTo, type VisitorConversation, withQuestion } from './chat/conversation.ts'
import { estimateTokens, historyOf } from './chat/history.ts'
import { instructionsFor } from './chat/instructions.ts'
import { readQuestion } from './chat/question.ts'
import { createReferences } from './chat/references.ts'
import type { ReplyLease } from './chat/reply-lease.ts'
import type { ReplyPart } from './chat/reply-parts.ts'
import { type OpenConversation, openConversation } from './chat/stored-conversations.ts'
import { type PreparedReply, replayReply, streamReply } from './chat/stream-reply.ts'
import { createToolbox } from './chat/toolbox.ts'
import { readWorkspaceProfile, type WorkspaceProfile } from './chat/workspace-profile.ts'
import { reserveTokens } from './token-budget.ts'
import type { WidgetPorts } from './widget-ports.ts'

export type ChatVisitor = {
  readonly workspaceId: string
  readonly widgetKey: string
  readonly clientAddress: string
  /** The request's body: `{ id, message: { id, role, parts } }`. */
  readonly question: unknown
  /** Aborts when the visitor leaves. */
  readonly signal: AbortSignal
}
export type ChatPorts = Omit<WidgetPorts, 'widgetKeys' | 'languageModelOf' | 'doctorRecords' | 'documents' | 'notifications' | 'audit'> & {
  readonly languageModelOf: (workspaceId: string) => Promise<ChatModel>
}
type ChatModel = Pick<LanguageModel, 'converse'>

const maxSteps = 5
const maxTokensPerStep = 600
const maxQuestions = 100
/** A former reply to the same message may store how far it got while this one begins. */
const maxTries = 3
/** An estimate for the descriptions of the tools. */
const toolTokens = 800

/**
 * Answers a visitor's message as a stream. Resolves when the reply can begin; errors before that are thrown: INVALID_INPUT,
 * ASSISTANT_MISSING (no language model), WRONG_STATE (switched off, another message is being answered, later messages follow, or the conversation changes all the time),
 * TOO_MANY_TRIES (the day's tokens, or the conversation's messages, are used up), STORE_UNAVAILABLE. Later errors come as `failed`. The
 * caller must read at least the first part. A message that was answered before gets the same reply, at no cost.
 */
export async function answerVisitor(ports: ChatPorts, visitor: ChatVisitor): Promise<AsyncIterable<ReplyPart>> {
  const { workspaceId, widgetKey } = visitor
  const question = readQuestion(visitor.question)
  await ports.visitorLimits.message(visitor.clientAddress)
  const [model, profile] = await Promise.all([chatModel(ports, workspaceId), readWorkspaceProfile(ports, workspaceId)])
  const key = { workspaceId, widgetKey, conversationId: question.conversationId }
  const lease = await ports.replyLeases.acquire(key, question.id)
  try {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const open = await openConversation(ports.store, key)
      const answered = replyTo(open.conversation, question.id)
      if (answered) {
        await lease[Symbol.asyncDispose]()
        return replayReply(answered)
      }
      const prepared = await prepare(ports, { visitor, question, open, lease, model, profile })
      if (prepared) return streamReply(prepared)
      if (!(await lease.isHeld())) throw replaced()
    }
    throw new AppError('WRONG_STATE', {
      detail: 'The conversation changes all the time: send the message again',
      data: { retryAfterSeconds: 1 },
    })
  } catch (error) {
    await lease[Symbol.asyncDispose]()
    throw error
  }
}

type Request = {
  readonly visitor: ChatVisitor
  readonly question: ReturnType<typeof readQuestion>
  readonly open: OpenConversation
  readonly lease: ReplyLease
  readonly model: ChatModel
  readonly profile: WorkspaceProfile
}

/** Null if the conversation was changed since it was opened. */
async function prepare(ports: ChatPorts, { visitor, question, open, lease, model, profile }: Request): Promise<PreparedReply | null> {
  const { workspaceId, widgetKey, clientAddress } = visitor
  const { conversationId } = question
  let current = asked(open.conversation, question)
  const conversation = (): VisitorConversation => current
  const save = async (change: Partial<VisitorConversation>): Promise<void> => {
    current = { ...current, ...change }
    if (!(await open.save(current))) throw replaced()
  }
  const references = { doctors: createReferences('D', current.doctors), slots: createReferences('S', current.slots) }
  const own = { workspaceId, widgetKey, clientAddress, conversationId, profile, conversation, change: save }
  const toolbox = createToolbox({ ports, ...own, ...references })
  const instructions = instructionsFor(profile, ports.clock.now())
  const messages = historyOf(current)
  const inputTokens = estimateTokens(instructions + JSON.stringify(messages)) + toolTokens
  const settleTokens = await reserveTokens(ports, visitor, maxSteps * (inputTokens + maxTokensPerStep))
  const isSaved = await open.save(current).catch(async (error: unknown) => {
    await settleTokens(0)
    throw error
  })
  if (!isSaved) {
    await settleTokens(0)
    return null
  }
  const signal = AbortSignal.any([visitor.signal, lease.signal])
  const limits = { maxSteps, maxOutputTokens: maxTokensPerStep }
  return {
    parts: model.converse({ instructions, messages, tools: toolbox.tools, ...limits, signal }),
    replyId: derivedId('widget-reply', workspaceId, conversationId, question.id),
    inputTokens,
    conversation,
    cardOf: (callId) => toolbox.cardOf(callId),
    save,
    settleTokens,
    release: async () => lease[Symbol.asyncDispose](),
    signal,
    log: ports.log,
  }
}

function replaced(): DOMException {
  return new DOMException('Another reply has replaced this one', 'AbortError')
}

function asked(conversation: VisitorConversation, question: { readonly id: string; readonly text: string }): VisitorConversation {
  const next = withQuestion(conversation, question)
  if (!next) throw new AppError('WRONG_STATE', { detail: 'Later messages follow this one in the conversation' })
  if (next.asked > maxQuestions) throw new AppError('TOO_MANY_TRIES', { detail: 'This conversation is too long: start a new one' })
  return next
}

/** The visitor does not learn which setting is missing. */
async function chatModel({ languageModelOf }: ChatPorts, workspaceId: string): Promise<ChatModel> {
  try {
    return await languageModelOf(workspaceId)
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.reason !== 'NOT_CONFIGURED') throw cause
    throw new AppError('ASSISTANT_MISSING', { detail: 'There is no assistant to chat with here', cause })
  }
}
