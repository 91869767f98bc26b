import { Failure, failureOf, toFailure } from './failure.ts'
import { asList, asRecord } from './json.ts'
import { type Booking, bookingOf, configOf, type Doctor, doctorsOf, type SlotList, slotsOf, type WidgetConfig } from './model.ts'
import { type Message, messageOf } from './message.ts'

/** The public API. Each method throws `Failure`; each has a deadline. */
export type Client = {
  /** Null if the widget is switched off. */
  config(): Promise<WidgetConfig | null>
  doctors(): Promise<readonly Doctor[]>
  slots(doctorId: string | null): Promise<SlotList>
  history(conversationId: string): Promise<readonly Message[]>
  /** The reply to a message of the visitor, as a stream of bytes. The same message id again replaces the reply in progress. */
  ask(
    question: { readonly conversationId: string; readonly messageId: string; readonly text: string },
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>>
  hold(slotId: string): Promise<Booking>
  confirm(visit: { readonly bookingId: string; readonly name: string; readonly phone: string }): Promise<Booking>
  /** Releases a hold, without waiting for the answer. */
  release(bookingId: string): void
  /** The time of the service, from the dates of its answers, because a visitor's clock may be wrong by minutes. */
  now(): number
}

export type ClientOptions = {
  /** The service's address, with a slash at the end. */
  readonly baseUrl: string
  readonly widgetKey: string
}

const deadlineMs = 20_000

export function createClient({ baseUrl, widgetKey }: ClientOptions): Client {
  let clockOffsetMs = 0

  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(`${baseUrl}api/widget/${path}`, {
      ...init,
      headers: { 'x-widget-key': widgetKey, ...(init.body ? { 'content-type': 'application/json' } : {}) },
      credentials: 'omit',
      cache: 'no-store',
    })
    const servedAt = Date.parse(response.headers.get('date') ?? '')
    if (servedAt) clockOffsetMs = servedAt - Date.now()
    if (!response.ok) throw await failureOf(response)
    return response
  }
  const answer = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const { signal, done } = deadline()
    try {
      const response = await send(path, { ...init, signal })
      return response.status === 204 ? null : await response.json()
    } catch (error) {
      throw toFailure(error)
    } finally {
      done()
    }
  }
  const post = async (body: unknown): Promise<Booking> => {
    const { booking } = asRecord(await answer('bookings', { method: 'POST', body: JSON.stringify(body) }))
    return bookingOf(booking)
  }

  return {
    config: async () => configOf(await answer('config')),
    doctors: async () => doctorsOf(await answer('doctors')),
    slots: async (doctorId) => slotsOf(await answer(`slots${doctorId === null ? '' : `?doctorId=${encodeURIComponent(doctorId)}`}`)),
    async history(conversationId) {
      const { messages } = asRecord(await answer(`chat/${encodeURIComponent(conversationId)}`))
      return asList(messages).map(messageOf)
    },
    async ask({ conversationId, messageId, text }, signal) {
      const message = { id: messageId, role: 'user', parts: [{ type: 'text', text }] }
      const { signal: limited, done } = deadline(signal)
      try {
        const { body } = await send('chat', { method: 'POST', body: JSON.stringify({ id: conversationId, message }), signal: limited })
        if (!body) throw new Failure(0)
        return body
      } catch (error) {
        throw toFailure(error)
      } finally {
        done()
      }
    },
    hold: (slotId) => post({ slotId }),
    confirm: (visit) => post(visit),
    release(bookingId) {
      send(`bookings/${encodeURIComponent(bookingId)}`, { method: 'DELETE', keepalive: true }).catch(() => {})
    },
    now: () => Date.now() + clockOffsetMs,
  }
}

/** Aborts if the answer does not begin in time, and with the given signal; after `done` only with that signal. */
function deadline(signal?: AbortSignal): { readonly signal: AbortSignal; readonly done: () => void } {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), deadlineMs)
  signal?.addEventListener('abort', () => controller.abort())
  return { signal: controller.signal, done: () => clearTimeout(timer) }
}
