import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { tokenMark } from '../../../access/token-claims.ts'
import { atMost } from '../../../kernel/at-most.ts'
import { AppError } from '../../../kernel/errors.ts'
import { nextSlice } from '../../../kernel/loop-slices.ts'
import type { Ports } from '../../../ports/ports.ts'
import { Family } from '../../../ports/stored/family.ts'
import { SortedList } from '../../../ports/stored/sorted-list.ts'

/** What ended a sign-in. MANAGER: a manager released the agent session. REMOVAL: the member was removed from the workspace. */
const endings = ['SIGN_OUT', 'TAKE_OVER', 'MANAGER', 'REMOVAL'] as const
export type Ending = (typeof endings)[number]

/** A token as it is stored. `expiresAt`: epoch milliseconds, by which it has expired on all clocks. `isAccess`: false for a refresh token, which is only checked when it is used. */
export type MarkedToken = { readonly mark: string; readonly expiresAt: number; readonly isAccess: boolean }

/**
 * The tokens whose sign-in has ended, until they expire. Access tokens are known to every process, so that a request is refused without asking
 * anybody; the store has them for processes that start, and refresh tokens too.
 */
export interface RefusedTokens {
  /** Throws TOKEN_REFUSED (`data.endedBy`) if one of the tokens in an Authorization header, however it is written, is refused. */
  checkHeader(authorization: string | undefined): void
  /** The same for one access token. */
  check(accessToken: string): void
  /** What ended the sign-ins of these refresh tokens, in their order; null if they are not refused. While the store is away, only what this process knows counts. */
  findStored(marks: readonly string[]): Promise<readonly (Ending | null)[]>
  /** From now on these tokens are refused, here at once and on all instances. Repeatable. Throws STORE_UNAVAILABLE: then some are not refused. */
  refuse(workspaceId: string, tokens: readonly MarkedToken[], ending: Ending): Promise<void>
  /** Calls the listener when the access token is refused, half a second after a sign-out, until the result is disposed of. */
  follow(accessToken: string, listener: (refusal: AppError) => void): Disposable
  /** Reads what other instances have refused. Throws STORE_UNAVAILABLE. */
  load(): Promise<void>
}

type Refused = { readonly ending: Ending; readonly until: number }

const topic = 'token.refused'
/** A sign-out adds one or two; access tokens live for half an hour. */
const maxRefused = 100_000
/** Of the thousands that a member may have. A notification has room for 1,600. */
const refusedAtOnce = 200
/** The life of a refresh token. */
export const tokenLifeMs = 60 * 24 * 3_600_000
/**
 * Streams and sockets end when the client has the answer to its sign-out (else it would take their end for something to mend), or the notice that says
 * why a manager has ended its session.
 */
const lastEventsMs = 500
const hasLastEvents: ReadonlySet<Ending> = new Set(['SIGN_OUT', 'MANAGER'])
/** A process remembers a refresh token for so long: afterwards the store has it. */
const rememberedMs = 3_600_000

/** `<mark> <ending>` by when the token expires. */
export const refusedAccessTokens = new SortedList({
  name: 'auth:refused-tokens',
  scope: 'installation',
  key: () => [],
  lifetime: 60_000,
  about: 'agent',
  what: 'access tokens whose sign-in has ended, and by what, by their hashes, until they expire',
})

export const refusedRefreshTokens = new Family({
  name: 'auth:refused-token',
  scope: 'installation',
  key: (mark: string) => [mark],
  schema: z.enum(endings),
  form: 'TEXT',
  lifetime: tokenLifeMs,
  about: 'agent',
  what: 'a refresh token whose sign-in has ended, and by what, by its hash',
})

const messageSchema = z.object({ ending: z.enum(endings), tokens: z.array(z.tuple([z.string(), z.number()])) })

export function createRefusedTokens(ports: Pick<Ports, 'store' | 'notifications' | 'clock' | 'withFallback' | 'log'>): RefusedTokens {
  const { notifications, clock, withFallback } = ports
  const refused = new LRUCache<string, Refused>(atMost(maxRefused))
  const followers = createFollowers()

  const add = (mark: string, { ending, until }: Refused): void => {
    if (until <= clock.now()) return
    refused.set(mark, { ending, until })
    if (!followers.has(mark)) return
    if (hasLastEvents.has(ending)) setTimeout(() => followers.notify(mark, ending), lastEventsMs).unref()
    else followers.notify(mark, ending)
  }
  const find = (mark: string): Ending | null => {
    const found = refused.get(mark)
    return found && clock.now() < found.until ? found.ending : null
  }
  const checkMark = (mark: string): void => {
    const ending = find(mark)
    if (ending) throw endedToken(ending)
  }
  const load = async (): Promise<void> => {
    const now = clock.now()
    for (const [mark, { until }] of refused.entries()) if (until <= now) refused.delete(mark)
    for (const { member, score } of await refusedAccessTokens.range(ports, null, { min: now, limit: maxRefused })) {
      const [mark = '', cause] = member.split(' ')
      const { data: ending } = z.enum(endings).safeParse(cause)
      if (ending && !refused.has(mark)) add(mark, { ending, until: score })
    }
  }
  notifications.subscribe(topic, ({ payload }) => {
    const { ending, tokens } = messageSchema.parse(JSON.parse(payload))
    for (const [mark, until] of tokens) add(mark, { ending, until })
  })
  notifications.onGap(() => void load().catch((error: unknown) => ports.log.warn({ err: error }, 'refused-tokens.not-read')))

  return {
    load,
    follow: (accessToken, listener) => followers.add(tokenMark(accessToken), listener),
    check: (accessToken) => {
      if (refused.size > 0) checkMark(tokenMark(accessToken))
    },
    checkHeader(authorization) {
      if (refused.size === 0 || authorization === undefined) return
      // The platform also reads headers that are no `Bearer <token>` by our rule, so every part counts.
      for (const part of authorization.split(/\s+/)) if (part.includes('.')) checkMark(tokenMark(part))
    },
    async findStored(marks) {
      const stored = await withFallback(() => refusedRefreshTokens.readMany(ports, marks), [])
      return marks.map((mark, index) => find(mark) ?? stored[index] ?? null)
    },
    async refuse(workspaceId, tokens, ending) {
      const now = clock.now()
      const left = tokens.filter(({ expiresAt }) => expiresAt > now)
      for (let at = 0; at < left.length; at += refusedAtOnce) {
        if (at > 0) await nextSlice()
        const some = left.slice(at, at + refusedAtOnce)
        await Promise.all(some.map((token) => write(ports, token, ending)))
        const sent = some.map(({ mark, expiresAt, isAccess }) => [mark, isAccess ? expiresAt : Math.min(expiresAt, now + rememberedMs)])
        await notifications.publish({ topic, workspaceId, payload: JSON.stringify({ ending, tokens: sent }) })
      }
    },
  }
}

function write(ports: Pick<Ports, 'store' | 'clock'>, { mark, expiresAt, isAccess }: MarkedToken, ending: Ending): Promise<void> {
  if (isAccess) return refusedAccessTokens.add(ports, null, { member: `${mark} ${ending}`, score: expiresAt })
  const lifetime = Math.min(expiresAt - ports.clock.now(), tokenLifeMs)
  return refusedRefreshTokens.write(ports, mark, { value: ending, lifetime })
}

const messages: Readonly<Record<Ending, string>> = {
  SIGN_OUT: 'This sign-in has ended by a sign-out; sign in again',
  TAKE_OVER: 'Another device has taken over your agent session, which ended the sign-in here; sign in again',
  MANAGER: 'A manager has ended your session; sign in again',
  REMOVAL: 'You were removed from the workspace; a manager can add you again',
}

export function endedToken(endedBy: Ending): AppError {
  return new AppError('TOKEN_REFUSED', { detail: messages[endedBy], data: { endedBy } })
}

type Listener = (refusal: AppError) => void

function createFollowers() {
  const byMark = new Map<string, Set<Listener>>()
  return {
    add(mark: string, listener: Listener): Disposable {
      const listeners = byMark.get(mark) ?? new Set()
      byMark.set(mark, listeners)
      // The same function may follow twice.
      const own: Listener = (refusal) => listener(refusal)
      listeners.add(own)
      return {
        [Symbol.dispose]() {
          if (listeners.delete(own) && listeners.size === 0 && byMark.get(mark) === listeners) byMark.delete(mark)
        },
      }
    },
    has: (mark: string): boolean => byMark.has(mark),
    notify(mark: string, ending: Ending): void {
      for (const listener of byMark.get(mark) ?? []) listener(endedToken(ending))
    },
  }
}
