/** What must be stored so that a page goes on after a reload. It holds the tokens: store it where no other site can read it. */
export interface SavedSession {
  readonly accessToken: string
  /** Milliseconds since 1970 by the clock of this device. */
  readonly accessExpiresAt: number
  readonly refreshToken: string
  /** The agent session of this device. Null for a member without one. */
  readonly agentSession: SavedAgentSession | null
}

export interface SavedAgentSession {
  /** It distinguishes two devices of one agent. */
  readonly lockedAt: string
  readonly heartbeatIntervalSeconds: number
  /** How long the session lives after a heartbeat. */
  readonly lifetimeMs: number
  /** When it ends without a heartbeat, by the clock of this device. */
  readonly endsAt: number
}

/**
 * Where a client stores its session. Default: in memory, so it ends with the page. Several tabs may share one: each takes over the tokens
 * that another has renewed. Null means signed out. If `write` throws, the session goes on in memory until the next sign-in.
 */
export interface SessionStore {
  read(): SavedSession | null | Promise<SavedSession | null>
  write(session: SavedSession | null): void | Promise<void>
}

/** `sessionStorage` survives a reload of the tab, `localStorage` is shared by all tabs and survives the browser's end. */
export function webStore(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, key = 'call-center-sidecar'): SessionStore {
  return {
    read() {
      try {
        const saved: unknown = JSON.parse(storage.getItem(key) ?? 'null')
        return isSaved(saved) ? saved : null
      } catch {
        return null
      }
    },
    write: (session) => (session ? storage.setItem(key, JSON.stringify(session)) : storage.removeItem(key)),
  }
}

function isSaved(value: unknown): value is SavedSession {
  return typeof value === 'object' && value !== null && 'accessToken' in value && 'refreshToken' in value && 'agentSession' in value
}

export function memoryStore(): SessionStore {
  let session: SavedSession | null = null
  return {
    read: () => session,
    write: (changed) => void (session = changed),
  }
}
