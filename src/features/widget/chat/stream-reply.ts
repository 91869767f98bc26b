import { AppError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import type { ConversationPart } from '../../../ports/conversation.ts'
import { type Card, type ChatPart, type Reply, type VisitorConversation, withReply } from './conversation.ts'
import { estimateTokens } from './history.ts'
import type { ReplyPart } from './reply-parts.ts'

/** A reply that is ready to begin. */
export type PreparedReply = {
  readonly parts: AsyncIterable<ConversationPart>
  readonly replyId: string
  /** An estimate of the input tokens of each step. */
  readonly inputTokens: number
  readonly conversation: () => VisitorConversation
  readonly cardOf: (callId: string) => Card | null
  readonly save: (change: Partial<VisitorConversation>) => Promise<void>
  /** Called once, at the end, with the tokens that the model has used. */
  readonly settleTokens: (used: number) => Promise<void>
  readonly release: () => Promise<void>
  /** Aborts when the visitor leaves, or sends the same message again. */
  readonly signal: AbortSignal
  readonly log: Log
}

const noAnswer = 'I am sorry, I could not find an answer to that. Shall a colleague call you back?'

/** Streams the model's reply, and stores it, complete or as far as it got. */
export async function* streamReply(reply: PreparedReply): AsyncGenerator<ReplyPart> {
  const { parts, replyId, signal, log } = reply
  const record = createRecord(reply)
  try {
    yield { type: 'began', replyId }
    record.modelAsked()
    for await (const part of parts) {
      const shown = record.add(part)
      if (shown) yield shown
    }
    if (signal.aborted) return
    if (!record.endsWithText()) yield record.addText(noAnswer)
    await record.complete()
    yield { type: 'ended' }
  } catch (error) {
    if (signal.aborted || isReplaced(error)) return
    log.warn({ err: error }, 'widget.reply-failed')
    record.failed()
    yield { type: 'failed', error: error instanceof AppError ? error : new AppError('UNKNOWN', { cause: error }) }
  } finally {
    await record.close()
  }
}

/** Streams a stored reply. */
export async function* replayReply({ id, parts }: Reply): AsyncGenerator<ReplyPart> {
  yield { type: 'began', replyId: id }
  for (const part of parts) {
    if (part.type === 'text') yield part
    else {
      yield { type: 'tool-called', id: part.id, tool: part.tool, input: part.input }
      yield { type: 'tool-answered', id: part.id, output: part.output, card: part.card }
    }
  }
  yield { type: 'ended' }
}

/** The reply so far, and its tokens. */
function createRecord(reply: PreparedReply) {
  const { replyId, conversation, log } = reply
  const content = createContent(reply.cardOf)
  const cost = createCost(reply.inputTokens)
  let isStored = false
  const store = (complete: boolean): Promise<void> =>
    reply.save({ messages: withReply(conversation(), { role: 'assistant', id: replyId, complete, parts: content.parts }).messages })
  return {
    add(part: ConversationPart): ReplyPart | null {
      cost.count(part)
      return part.type === 'text' ? content.addText(part.text) : content.add(part)
    },
    addText: (text: string) => content.addText(text),
    endsWithText: () => content.parts.at(-1)?.type === 'text',
    modelAsked: () => cost.asked(),
    failed: () => cost.failed(),
    async complete() {
      await store(true)
      isStored = true
    },
    /** Errors are only logged: nothing repeats this. */
    async close() {
      const isPartial = !isStored && content.parts.length > 0
      const outcomes = await Promise.allSettled([reply.settleTokens(cost.sum()), isPartial ? store(false) : null])
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected' && !isReplaced(outcome.reason)) log.warn({ err: outcome.reason }, 'widget.reply-not-stored')
      }
      await reply.release()
    },
  }
}

/** The parts of the reply as they are stored; consecutive text is one part. */
function createContent(cardOf: PreparedReply['cardOf']) {
  const parts: ChatPart[] = []
  const inputs = new Map<string, unknown>()
  let isNewText = true
  return {
    parts,
    addText(text: string): ReplyPart {
      const last = parts.at(-1)
      if (last?.type === 'text' && !isNewText) parts[parts.length - 1] = { type: 'text', text: last.text + text }
      else parts.push({ type: 'text', text })
      isNewText = false
      return { type: 'text', text }
    },
    /** Null for a part that visitors do not see. */
    add(part: Exclude<ConversationPart, { type: 'text' }>): ReplyPart | null {
      isNewText = true
      if (part.type === 'step-ended') return { type: 'step-ended' }
      if (part.type === 'tool-called') {
        inputs.set(part.id, part.input)
        return part
      }
      if (part.type !== 'tool-answered') return null
      const { id, tool, output } = part
      const card = cardOf(id)
      parts.push({ type: 'tool', id, tool, input: inputs.get(id), output, card })
      return { type: 'tool-answered', id, output, card }
    },
  }
}

/** The tokens that the model reports; an estimate for a step that did not end, or if the model reports none. */
function createCost(inputTokens: number) {
  let sum = 0
  let unreported = 0
  let hasBegun = false
  return {
    asked: () => void (unreported = inputTokens),
    count(part: ConversationPart): void {
      hasBegun = true
      if (part.type === 'text') unreported += estimateTokens(part.text)
      if (part.type === 'step-ended') {
        sum += part.tokens.input + part.tokens.output || unreported
        unreported = inputTokens
      }
      if (part.type === 'ended') unreported = 0
    },
    /** A model that never began has cost nothing. */
    failed: () => void (unreported = hasBegun ? unreported : 0),
    sum: () => sum + unreported,
  }
}

function isReplaced(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
