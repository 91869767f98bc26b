import type { Client } from './client.ts'
import { readEvents } from './event-stream.ts'
import { Failure, toFailure } from './failure.ts'
import { asRecord } from './json.ts'
import { type Message, type Part, textOf, withChunk } from './message.ts'
import type { Booking } from './model.ts'
import { patiently, pauseAfter, waitFor } from './patience.ts'
import { newId } from './session.ts'

export type ConversationState = {
  readonly messages: readonly Message[]
  /** WAITING: the reply has no text yet. RECONNECTING: the connection broke, and the reply is requested again. */
  readonly phase: 'READY' | 'WAITING' | 'STREAMING' | 'RECONNECTING' | 'FAILED'
  readonly failure: Failure | null
}

/** The conversation with the assistant. A reply that breaks off is requested again with the same message id, so no message is sent twice. */
export class Conversation {
  private readonly client: Client
  private readonly onBegun: (conversationId: string) => void
  private readonly listeners = new Set<() => void>()
  private conversationId: string
  private current: ConversationState = { messages: [], phase: 'READY', failure: null }
  private inProgress: AbortController | null = null
  private reply: Message | null = null

  constructor({
    client,
    conversationId,
    onBegun,
  }: {
    readonly client: Client
    readonly conversationId: string
    /** Called with the id of the conversation in which the visitor writes. */
    readonly onBegun: (conversationId: string) => void
  }) {
    this.client = client
    this.conversationId = conversationId
    this.onBegun = onBegun
  }

  state(): ConversationState {
    return this.current
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  send(text: string): void {
    const question: Message = { id: newId(), role: 'user', parts: [{ kind: 'text', id: 'text', text }] }
    this.onBegun(this.conversationId)
    this.set({ messages: [...this.current.messages, question] })
    void this.answer(question)
  }

  /** Ends the reply in progress where it is. */
  stop(): void {
    this.inProgress?.abort()
    this.put({ ...(this.reply ?? { id: newId(), role: 'assistant', parts: [] }), isStopped: true })
    this.reply = null
    this.set({ phase: 'READY' })
  }

  /** Requests the failed reply again. */
  retry(): void {
    const question = this.current.messages.findLast(({ role }) => role === 'user')
    if (question) void this.answer(question)
  }

  /** Loads the messages from before a reload of the page, and requests the reply to a question that has none. */
  async restore(): Promise<void> {
    const messages = await patiently(() => this.client.history(this.conversationId)).catch(() => [])
    if (this.current.messages.length > 0 || messages.length === 0) return
    this.set({ messages })
    const last = messages.at(-1)
    if (last?.role === 'user') void this.answer(last)
  }

  /** Forgets the messages, and starts another conversation. */
  startOver(): void {
    this.inProgress?.abort()
    this.reply = null
    this.conversationId = newId()
    this.set({ messages: [], phase: 'READY', failure: null })
  }

  /** Shows that a visit is booked: in the message that proposed it, else at the end. */
  show(booking: Booking): void {
    const { messages } = this.current
    const shown: Part = { kind: 'booking', id: booking.id, booking }
    const proposal = messages.find(({ parts }) => parts.some((part) => isOf(part, booking)))
    const parts = proposal?.parts.map((part) => (isOf(part, booking) ? shown : part)) ?? [shown]
    const renewed: Message = { ...(proposal ?? { id: newId(), role: 'assistant' }), parts }
    if (proposal && proposal === this.reply) this.reply = renewed
    this.set({ messages: proposal ? messages.map((message) => (message === proposal ? renewed : message)) : [...messages, renewed] })
  }

  private set(change: Partial<ConversationState>): void {
    this.current = { ...this.current, ...change }
    for (const listener of this.listeners) listener()
  }

  /** Replaces the reply by its next state, or appends it. */
  private put(next: Message): void {
    const { messages } = this.current
    const at = this.reply === null ? -1 : messages.indexOf(this.reply)
    this.reply = next
    this.set({ messages: at < 0 ? [...messages, next] : messages.with(at, next) })
  }

  private async answer(question: Message): Promise<void> {
    const controller = new AbortController()
    const { signal } = controller
    const { reply } = this
    this.inProgress = controller
    this.set({ phase: 'WAITING', failure: null, messages: this.current.messages.filter((message) => message !== reply) })
    this.reply = null
    for (let tries = 0; ; tries += 1) {
      try {
        await this.readReply(question, signal)
        this.reply = null
        if (!signal.aborted) this.set({ phase: 'READY' })
        return
      } catch (error) {
        if (signal.aborted) return
        const failure = toFailure(error)
        const pauseMs = pauseAfter(failure, tries)
        if (pauseMs === null) return this.set({ phase: 'FAILED', failure })
        this.set({ phase: 'RECONNECTING' })
        await waitFor(pauseMs, signal)
        if (signal.aborted) return
      }
    }
  }

  private async readReply(question: Message, signal: AbortSignal): Promise<void> {
    const { conversationId } = this
    const body = await this.client.ask({ conversationId, messageId: question.id, text: textOf(question) }, signal)
    let isComplete = false
    let received: Message = { id: `reply-${question.id}`, role: 'assistant', parts: [] }
    for await (const event of readEvents(body)) {
      if (signal.aborted) return
      const { type, errorText } = asRecord(event)
      // The service could not answer; its text is meant for visitors.
      if (type === 'error') throw new Failure(409, { detail: errorText })
      // Reads on to the end: browsers report an abandoned stream as an error.
      if (type === 'finish') isComplete = true
      received = withChunk(received, event)
      if (received.parts.length === 0) continue
      this.put(received)
      if (this.current.phase !== 'STREAMING') this.set({ phase: 'STREAMING' })
    }
    if (!isComplete) throw new Failure(0)
  }
}

function isOf(part: Part, { id }: Booking): boolean {
  return part.kind === 'booking' && part.booking.id === id
}
