import { asRecord, asTextOrNull, parseJson } from './json.ts'
import { type Booking, bookingOf } from './model.ts'

/** A held time that the visitor has not confirmed; `isProposed`: the conversation shows it too. */
export type Held = { readonly booking: Booking; readonly isProposed: boolean }

/** What survives a reload of the tab. `isKnown`: the conversation has messages. */
export type Session = { readonly conversationId: string; readonly isKnown: boolean; readonly isOpen: boolean; readonly held: Held | null }

export type SessionStore = { read(): Session; write(change: Partial<Session>): void }

/** In the tab's session storage; in memory if the browser forbids that. */
export function createSessionStore(widgetKey: string): SessionStore {
  const name = `call-center-widget:${widgetKey}`
  let session = readStored(name)
  return {
    read: () => session,
    write(change) {
      session = { ...session, ...change }
      try {
        sessionStorage.setItem(name, JSON.stringify(session))
      } catch {
        // Full or forbidden: the conversation ends with the page.
      }
    },
  }
}

function readStored(name: string): Session {
  let stored: unknown = null
  try {
    stored = parseJson(sessionStorage.getItem(name) ?? '')
  } catch {
    // Forbidden by the visitor's settings.
  }
  const { conversationId, isKnown, isOpen, held } = asRecord(stored)
  return { conversationId: asTextOrNull(conversationId) ?? newId(), isKnown: isKnown === true, isOpen: isOpen === true, held: heldOf(held) }
}

function heldOf(stored: unknown): Held | null {
  const { booking, isProposed } = asRecord(stored)
  const read = bookingOf(booking)
  return read.id === '' || read.heldUntil === null ? null : { booking: read, isProposed: isProposed === true }
}

/** A random UUID. Not `crypto.randomUUID`, which does not exist on pages without TLS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
