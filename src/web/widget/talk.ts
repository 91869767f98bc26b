import type { Client } from './client.ts'
import { readEvents } from './event-stream.ts'
import { Failure, toFailure } from './failure.ts'
import { asRecord } from './json.ts'
import { type Message, type Part, textOf, withChunk } from './message.ts'
import type { Booking } from './model.ts'
import { patiently, pauseAfter, waitFor } from './patience.ts'
import { newId } from './session.ts'

export type TalkState = {
  readonly messages: readonly Message[]
  /** WAITING: no word of the reply yet. RECONNECTING: it broke off, and is asked for again. */
  readonly phase: 'READY' | 'WAITING' | 'STREAMING' | 'RECONNECTING' | 'FAILED'
  readonly failure: Failure | null
}

/** The talk with the assistant. A reply that breaks off is asked for again by the same message id, which never sends a message twice. */
export type Talk = {
  state(): TalkState
  subscribe(listener: () => void): () => void
  send(text: string): void
  /** Ends the reply under way where it is. */
  stop(): void
  /** Asks for the reply that failed once more. */
  retry(): void
  /** What was said before the page was loaded anew; goes on with a question that has no reply yet. */
  restore(): Promise<void>
  /** Forgets what was said, and begins another talk. */
  beginAnew(): void
  /** Shows that a visit is booked: where it was offered, else at the end. */
  show(booking: Booking): void
}

export type TalkOptions = {
  readonly client: Client
  readonly talkId: string
  /** Called with the talk in which something is said. */
  readonly onBegun: (talkId: string) => void
}

export function createTalk({ client, talkId: firstId, onBegun }: TalkOptions): Talk {
  let talkId = firstId
  const listeners = new Set<() => void>()
  let state: TalkState = { messages: [], phase: 'READY', failure: null }
  let underWay: AbortController | null = null
  let reply: Message | null = null

  const set = (change: Partial<TalkState>): void => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const lastQuestion = (): Message | undefined => state.messages.findLast(({ role }) => role === 'user')

  /** Puts the reply, as far as it came, where it stood before, or at the end. */
  const put = (next: Message): void => {
    const at = reply === null ? -1 : state.messages.indexOf(reply)
    reply = next
    set({ messages: at < 0 ? [...state.messages, next] : state.messages.with(at, next) })
  }

  const readReply = async (question: Message, signal: AbortSignal): Promise<void> => {
    const body = await client.ask({ talkId, messageId: question.id, text: textOf(question) }, signal)
    let whole = false
    let sofar: Message = { id: `reply-${question.id}`, role: 'assistant', parts: [] }
    for await (const event of readEvents(body)) {
      if (signal.aborted) return
      const { type, errorText } = asRecord(event)
      // The service has tried what it could, and says so to the visitor.
      if (type === 'error') throw new Failure(409, { detail: errorText })
      // Read to its end all the same: a stream that is left looks like a failure in the browser's own tools.
      if (type === 'finish') whole = true
      sofar = withChunk(sofar, event)
      if (sofar.parts.length === 0) continue
      put(sofar)
      if (state.phase !== 'STREAMING') set({ phase: 'STREAMING' })
    }
    if (!whole) throw new Failure(0)
  }

  const answer = async (question: Message): Promise<void> => {
    const controller = new AbortController()
    const { signal } = controller
    underWay = controller
    set({ phase: 'WAITING', failure: null, messages: state.messages.filter((message) => message !== reply) })
    reply = null
    for (let tries = 0; ; tries += 1) {
      try {
        await readReply(question, signal)
        reply = null
        if (!signal.aborted) set({ phase: 'READY' })
        return
      } catch (error) {
        if (signal.aborted) return
        const failure = toFailure(error)
        const pauseMs = pauseAfter(failure, tries)
        if (pauseMs === null) return set({ phase: 'FAILED', failure })
        set({ phase: 'RECONNECTING' })
        await waitFor(pauseMs, signal)
        if (signal.aborted) return
      }
    }
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    send(text) {
      const question: Message = { id: newId(), role: 'user', parts: [{ kind: 'text', id: 'text', text }] }
      onBegun(talkId)
      set({ messages: [...state.messages, question] })
      void answer(question)
    },
    stop() {
      underWay?.abort()
      put({ ...(reply ?? { id: newId(), role: 'assistant', parts: [] }), isStopped: true })
      reply = null
      set({ phase: 'READY' })
    },
    retry() {
      const question = lastQuestion()
      if (question) void answer(question)
    },
    async restore() {
      const messages = await patiently(() => client.history(talkId)).catch(() => [])
      if (state.messages.length > 0 || messages.length === 0) return
      set({ messages })
      const last = messages.at(-1)
      if (last?.role === 'user') void answer(last)
    },
    beginAnew() {
      underWay?.abort()
      reply = null
      talkId = newId()
      set({ messages: [], phase: 'READY', failure: null })
    },
    show(booking) {
      const shown: Part = { kind: 'booking', id: booking.id, booking }
      const offering = state.messages.find(({ parts }) => parts.some((part) => isOf(part, booking)))
      const parts = offering?.parts.map((part) => (isOf(part, booking) ? shown : part)) ?? [shown]
      const renewed: Message = { ...(offering ?? { id: newId(), role: 'assistant' }), parts }
      if (offering && offering === reply) reply = renewed
      set({
        messages: offering ? state.messages.map((message) => (message === offering ? renewed : message)) : [...state.messages, renewed],
      })
    },
  }
}

function isOf(part: Part, { id }: Booking): boolean {
  return part.kind === 'booking' && part.booking.id === id
}
