import type { ConversationPart } from '../../../ports/conversation.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import { tokensIn } from './history.ts'
import type { ReplyPart } from './reply-parts.ts'
import { type Card, type Reply, type Talk, type TalkPart, withReply } from './conversation.ts'

/** A reply that can begin. */
export type Answering = {
  readonly parts: AsyncIterable<ConversationPart>
  readonly replyId: string
  /** Tokens that each step is told, roughly. */
  readonly heard: number
  readonly talk: () => Talk
  readonly cardOf: (callId: string) => Card | null
  readonly save: (change: Partial<Talk>) => Promise<void>
  /** Told once, at the end, how many tokens the model has used. */
  readonly used: (tokens: number) => Promise<void>
  readonly end: () => Promise<void>
  /** The visitor has left, or asked the same anew. */
  readonly signal: AbortSignal
  readonly log: Log
}

const nothingSaid = 'I am sorry, I could not find an answer to that. Shall I pass it on to a person?'

/** Says the reply as the model says it, and keeps what was said: whole, or as far as it came. */
export async function* sayReply(answering: Answering): AsyncGenerator<ReplyPart> {
  const { parts, replyId, signal, log } = answering
  const record = createRecord(answering)
  try {
    yield { type: 'began', replyId }
    record.asked()
    for await (const part of parts) {
      const said = record.take(part)
      if (said) yield said
    }
    if (signal.aborted) return
    if (!record.endsWithText()) yield record.text(nothingSaid)
    await record.complete()
    yield { type: 'ended' }
  } catch (error) {
    if (signal.aborted || isTakenOver(error)) return
    log.warn({ err: error }, 'a reply to a visitor broke off')
    record.failed()
    yield { type: 'failed', error: error instanceof AppError ? error : new AppError('UNKNOWN', { cause: error }) }
  } finally {
    await record.close()
  }
}

/** Says a reply that was given before. */
export async function* sayAgain({ id, parts }: Reply): AsyncGenerator<ReplyPart> {
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

/** What was said so far, and what it cost. */
function createRecord(answering: Answering) {
  const { replyId, heard, talk, save, end, log } = answering
  const parts: TalkPart[] = []
  const calls = new Map<string, unknown>()
  const cost = createCost(heard)
  let isNewText = true
  let isKept = false

  const keep = (complete: boolean): Promise<void> =>
    save({ messages: withReply(talk(), { role: 'assistant', id: replyId, complete, parts }).messages })

  const text = (said: string): ReplyPart => {
    const last = parts.at(-1)
    if (last?.type === 'text' && !isNewText) parts[parts.length - 1] = { type: 'text', text: last.text + said }
    else parts.push({ type: 'text', text: said })
    isNewText = false
    return { type: 'text', text: said }
  }

  const other = (part: Exclude<ConversationPart, { type: 'text' }>): ReplyPart | null => {
    isNewText = true
    if (part.type === 'step-ended') return { type: 'step-ended' }
    if (part.type === 'tool-called') {
      calls.set(part.id, part.input)
      return part
    }
    if (part.type !== 'tool-answered') return null
    const { id, tool, output } = part
    const card = answering.cardOf(id)
    parts.push({ type: 'tool', id, tool, input: calls.get(id), output, card })
    return { type: 'tool-answered', id, output, card }
  }

  return {
    take(part: ConversationPart): ReplyPart | null {
      cost.count(part)
      return part.type === 'text' ? text(part.text) : other(part)
    },
    text,
    endsWithText: () => parts.at(-1)?.type === 'text',
    /** From now on the model is asked. */
    asked: () => cost.asked(),
    failed: () => cost.failed(),
    async complete() {
      await keep(true)
      isKept = true
    },
    /** Whatever has become of the reply. What fails here is tried nowhere else. */
    async close() {
      const isPartial = !isKept && parts.length > 0
      const outcomes = await Promise.allSettled([answering.used(cost.sum()), isPartial ? keep(false) : null])
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected' && !isTakenOver(outcome.reason)) log.warn({ err: outcome.reason }, 'a reply was not kept')
      }
      await end()
    },
  }
}

/** What the model says it used; where a step was not ended, or a model says nothing, what it was told and has said. */
function createCost(heard: number) {
  let sum = 0
  let unpaid = 0
  let hasBegun = false
  return {
    asked: () => void (unpaid = heard),
    count(part: ConversationPart): void {
      hasBegun = true
      if (part.type === 'text') unpaid += tokensIn(part.text)
      if (part.type === 'step-ended') {
        sum += part.tokens.input + part.tokens.output || unpaid
        unpaid = heard
      }
      if (part.type === 'ended') unpaid = 0
    },
    /** A model that never began has cost nothing. */
    failed: () => void (unpaid = hasBegun ? unpaid : 0),
    sum: () => sum + unpaid,
  }
}

function isTakenOver(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
