import { LRUCache } from 'lru-cache'
import { readClaims, tokenMark } from '../../../access/token-claims.ts'
import { atMost } from '../../../kernel/at-most.ts'
import { AppError } from '../../../kernel/errors.ts'
import { hashOf, newId } from '../../../kernel/ids.ts'
import { createKeyedMutex, type KeyedMutex } from '../../../kernel/keyed-mutex.ts'
import { withDeadline } from '../../../kernel/with-fallback.ts'
import type { Ports } from '../../../ports/ports.ts'
import { endedToken, type Ending, type MarkedToken, type RefusedTokens, tokenLifeMs } from './refused-tokens.ts'
import { maxTokens, type Owner, readSignIns, type SignIn, untilWritten, writeSignIns } from './sign-in-records.ts'

/** A sign-in, as the record of an agent session names it. `userId`: its owner's, in the workspace of the session. */
export type SignInKey = { readonly userId: string; readonly id: string }
/** Tokens as they were issued at the same moment; a client may have asked the platform for one of them only. */
export type TokenPair = { readonly accessToken?: string | undefined; readonly refreshToken?: string | undefined }

/**
 * Which tokens belong together: those of one sign-in and all that came from its renewals. So the end of a sign-in ends exactly its tokens, and no tab
 * or device loses those of another. Tokens are stored as marks. Tokens that do not say whose they are belong to no sign-in.
 */
export interface SignIns {
  /**
   * A new sign-in. `note` stores its tokens, before the client gets them. It never throws: while the store is away, a later end finds the tokens by
   * when they were issued.
   */
  begin(tokens: TokenPair): { note(): Promise<void> }
  /** Throws TOKEN_REFUSED if the sign-in of this refresh token has ended. */
  checkRenewal(refreshToken: string): Promise<void>
  /**
   * Notes the tokens of a renewal. Throws TOKEN_REFUSED if the sign-in has ended meanwhile, or has been renewed so often that it has too many tokens:
   * then the new tokens are refused too.
   */
  renewed(refreshToken: string, tokens: TokenPair): Promise<void>
  /** The sign-in of an access token; one that was issued elsewhere becomes known now. Null if the token names no owner. Throws STORE_UNAVAILABLE. */
  keyOf(accessToken: string): Promise<SignInKey | null>
  /** Refuses all tokens of the sign-in of an access token. Repeatable. Throws STORE_UNAVAILABLE. */
  end(accessToken: string, ending: Ending): Promise<void>
  /** The same for a sign-in of an agent session. */
  endByKey(workspaceId: string, key: SignInKey, ending: Ending): Promise<void>
  /** The same for all sign-ins of a member. */
  endAll(owner: Owner, ending: Ending): Promise<void>
}

/** The platform accepts a used refresh token for a minute. */
const usedRefreshMs = 120_000
/** How long a sign-in waits for its note. */
const notePatienceMs = 150
/** A renewal is not urgent: the store itself reports within half a second that it is away. */
const renewalPatienceMs = 1_000
/** The clock of the platform may be so much later than this one: there a token that has expired here still works. */
const clockToleranceMs = 15 * 60_000
/** The platform issues the tokens of a pair one after the other. */
const pairSeconds = 2

export function createSignIns(ports: Omit<State, 'mutex' | 'keys'>): SignIns {
  const state: State = { ...ports, mutex: createKeyedMutex(), keys: new LRUCache<string, SignInKey>(atMost(20_000)) }
  return {
    begin: (tokens) => begin(state, tokens),
    checkRenewal: (refreshToken) => checkRenewal(state, refreshToken),
    renewed: (refreshToken, tokens) => noteRenewal(state, refreshToken, tokens),
    keyOf: (accessToken) => keyOf(state, accessToken),
    end: (accessToken, ending) => endOf(state, accessToken, ending),
    endByKey: (workspaceId, { userId, id }, ending) =>
      endWhere(state, { workspaceId, userId }, { ending, isEnded: (one) => one.id === id }),
    endAll: (owner, ending) => endWhere(state, owner, { ending, isEnded: () => true }),
  }
}

/** `keys`: sign-ins by the marks of their tokens. */
type State = Pick<Ports, 'store' | 'clock' | 'log'> & {
  readonly refusedTokens: RefusedTokens
  readonly mutex: KeyedMutex
  readonly keys: LRUCache<string, SignInKey>
}

/** `edit`: the sign-ins as they shall be; null: nothing is to be written. */
function change(state: State, owner: Owner, edit: (signIns: readonly SignIn[]) => Promise<readonly SignIn[] | null>): Promise<void> {
  return state.mutex.run(`${owner.workspaceId} ${owner.userId}`, () =>
    untilWritten(async () => {
      const { version, signIns } = await readSignIns(state, owner)
      const edited = await edit(signIns)
      return edited === null || writeSignIns(state, owner, { from: version, signIns: edited, now: state.clock.now() })
    }),
  )
}

function begin(state: State, tokens: TokenPair): { note(): Promise<void> } {
  const owner = ownerOf(tokens)
  if (!owner) return { note: async () => {} }
  const { clock, keys, log } = state
  const id = newId()
  const marked = markedPair(tokens, clock.now())
  for (const { mark } of marked) keys.set(mark, { userId: owner.userId, id })
  return {
    async note() {
      const writing = change(state, owner, async (signIns) => [...signIns, { id, tokens: marked }])
      // Then they are noted when they are used.
      writing.catch(() => marked.forEach(({ mark }) => keys.delete(mark)))
      await withDeadline(writing, notePatienceMs).catch((error: unknown) => log.warn({ err: error }, 'sign-in.tokens-not-noted'))
    },
  }
}

async function checkRenewal(state: State, refreshToken: string): Promise<void> {
  const [own, ...ofMoment] = await state.refusedTokens.findStored(renewalMarks(refreshToken))
  if (own) throw endedToken(own)
  const ending = ofMoment.find((found) => found !== null)
  const owner = ending && ownerOf({ refreshToken })
  if (ending && owner && !hasMark((await readSignIns(state, owner)).signIns, tokenMark(refreshToken))) throw endedToken(ending)
}

async function noteRenewal(state: State, refreshToken: string, tokens: TokenPair): Promise<void> {
  const owner = ownerOf({ refreshToken })
  if (!owner) return
  const { refusedTokens, clock, keys, log } = state
  const now = clock.now()
  const marked = markedPair(tokens, now)
  const used = { ...markedToken(refreshToken, { isAccess: false, now }), expiresAt: now + usedRefreshMs }
  const writing = change(state, owner, async (signIns) => {
    const before = signInOf(signIns, refreshToken)
    const ending = before ? null : (await refusedTokens.findStored(renewalMarks(refreshToken))).find((found) => found !== null)
    if (ending) {
      await refusedTokens.refuse(owner.workspaceId, marked, ending)
      throw endedToken(ending)
    }
    const older = (before?.tokens ?? []).filter(({ mark, expiresAt }) => mark !== used.mark && expiresAt > now)
    // The oldest would be forgotten: a thief could renew until the end of the sign-in no longer finds the tokens.
    if (older.length + marked.length >= maxTokens) {
      await refusedTokens.refuse(owner.workspaceId, marked, 'SIGN_OUT')
      throw new AppError('TOKEN_REFUSED', { detail: 'This sign-in was renewed far too often; sign in again' })
    }
    const id = before?.id ?? newId()
    for (const { mark } of marked) keys.set(mark, { userId: owner.userId, id })
    return [...signIns.filter((signIn) => signIn !== before), { id, at: before?.at, tokens: [...older, used, ...marked] }]
  })
  await withDeadline(writing, renewalPatienceMs).catch((error: unknown) => {
    if (error instanceof AppError && error.reason === 'TOKEN_REFUSED') throw error
    log.warn({ err: error }, 'sign-in.tokens-not-noted')
  })
}

async function keyOf(state: State, accessToken: string): Promise<SignInKey | null> {
  const owner = ownerOf({ accessToken })
  if (!owner) return null
  const token = markedToken(accessToken, { isAccess: true, now: state.clock.now() })
  const known = state.keys.get(token.mark)
  if (known) return known
  let id = newId()
  await change(state, owner, async (signIns) => {
    const found = signIns.find((signIn) => hasMark([signIn], token.mark))
    if (found) id = found.id
    return found ? null : [...signIns, { id, at: readClaims(accessToken)?.issuedAt ?? undefined, tokens: [token] }]
  })
  const key = { userId: owner.userId, id }
  state.keys.set(token.mark, key)
  return key
}

async function endOf(state: State, accessToken: string, ending: Ending): Promise<void> {
  const { refusedTokens, clock } = state
  const own = markedToken(accessToken, { isAccess: true, now: clock.now() })
  const owner = ownerOf({ accessToken })
  if (!owner) return refusedTokens.refuse('', [own], ending)
  const { signIns } = await readSignIns(state, owner)
  const issuedAt = hasMark(signIns, own.mark) ? null : (readClaims(accessToken)?.issuedAt ?? null)
  const also = [own, ...(issuedAt === null ? [] : [pairMark(owner, issuedAt, clock.now())])]
  return endWhere(state, owner, { ending, isEnded: (signIn) => hasMark([signIn], own.mark), also })
}

/** `also`: tokens that are refused beside those of the sign-ins. */
type End = { readonly ending: Ending; readonly isEnded: (signIn: SignIn) => boolean; readonly also?: readonly MarkedToken[] }

function endWhere(state: State, owner: Owner, { ending, isEnded, also = [] }: End): Promise<void> {
  const { refusedTokens, clock } = state
  return change(state, owner, async (signIns) => {
    const ended = signIns.filter(isEnded)
    const origins = ended.flatMap(({ at }) => (at === undefined ? [] : [pairMark(owner, at, clock.now())]))
    // Before they are no longer listed: a renewal that finds no sign-in checks whether its token is refused.
    await refusedTokens.refuse(owner.workspaceId, [...ended.flatMap(({ tokens }) => tokens), ...origins, ...also], ending)
    return ended.length === 0 ? null : signIns.filter((signIn) => !isEnded(signIn))
  })
}

function hasMark(signIns: readonly SignIn[], sought: string): boolean {
  return signIns.some(({ tokens }) => tokens.some(({ mark }) => mark === sought))
}

/** The sign-in that has the refresh token, or one that began with an access token of the same moment and has no refresh token yet. */
function signInOf(signIns: readonly SignIn[], refreshToken: string): SignIn | undefined {
  const mark = tokenMark(refreshToken)
  const issuedAt = readClaims(refreshToken)?.issuedAt ?? Number.NaN
  return (
    signIns.find((signIn) => hasMark([signIn], mark)) ??
    signIns.find(({ at, tokens }) => Math.abs((at ?? Number.NaN) - issuedAt) <= pairSeconds && tokens.every(({ isAccess }) => isAccess))
  )
}

function ownerOf({ accessToken, refreshToken }: TokenPair): Owner | null {
  const { workspaceId = null, subject = null } = readClaims(accessToken ?? refreshToken ?? '') ?? {}
  return workspaceId !== null && subject !== null ? { workspaceId, userId: subject } : null
}

function markedPair({ accessToken, refreshToken }: TokenPair, now: number): readonly MarkedToken[] {
  return [
    ...(accessToken === undefined ? [] : [markedToken(accessToken, { isAccess: true, now })]),
    ...(refreshToken === undefined ? [] : [markedToken(refreshToken, { isAccess: false, now })]),
  ]
}

function markedToken(token: string, { isAccess, now }: { readonly isAccess: boolean; readonly now: number }): MarkedToken {
  const longest = now + tokenLifeMs
  const expiresAt = (readClaims(token)?.expiresAt ?? longest) + clockToleranceMs
  return { mark: tokenMark(token), expiresAt: Math.min(expiresAt, longest), isAccess }
}

/** In place of the refresh token that was issued with an access token whose refresh token is not known. `issuedAt`: seconds. */
function pairMark(owner: Owner, issuedAt: number, now: number): MarkedToken {
  return { mark: pairMarkText(owner, issuedAt), expiresAt: now + tokenLifeMs, isAccess: false }
}

function pairMarkText({ workspaceId, userId }: Owner, issuedAt: number): string {
  return hashOf(`${workspaceId} ${userId} ${issuedAt}`).slice(0, 22)
}

/** Under which a refresh token may be refused: its own mark, and that of an access token of the same moment. */
function renewalMarks(refreshToken: string): readonly string[] {
  const owner = ownerOf({ refreshToken })
  const issuedAt = readClaims(refreshToken)?.issuedAt ?? null
  if (!owner || issuedAt === null) return [tokenMark(refreshToken)]
  const moments = Array.from({ length: 2 * pairSeconds + 1 }, (_, index) => issuedAt - pairSeconds + index)
  return [tokenMark(refreshToken), ...moments.map((moment) => pairMarkText(owner, moment))]
}
