import { asRecord, asTextOrNull, parseJson } from './json.ts'
import { type Booking, bookingOf } from './model.ts'

/** A time that waits for the visitor's word; `isOffered`: the talk shows it too. */
export type Held = { readonly booking: Booking; readonly isOffered: boolean }

/** What a tab remembers over a reload: which talk it was, whether anything was said in it, whether the widget was open, the time it holds. */
export type Session = { readonly talkId: string; readonly isKnown: boolean; readonly isOpen: boolean; readonly held: Held | null }

export type SessionStore = { read(): Session; write(change: Partial<Session>): void }

/** Kept in the tab's own storage; where a browser refuses that, in memory. */
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
        // Full or forbidden: the talk then ends with the page.
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
  const { talkId, isKnown, isOpen, held } = asRecord(stored)
  return { talkId: asTextOrNull(talkId) ?? newId(), isKnown: isKnown === true, isOpen: isOpen === true, held: heldOf(held) }
}

function heldOf(stored: unknown): Held | null {
  const { booking, isOffered } = asRecord(stored)
  const read = bookingOf(booking)
  return read.id === '' || read.heldUntil === null ? null : { booking: read, isOffered: isOffered === true }
}

/** A random UUID, also on pages without TLS, where the browser makes none. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
