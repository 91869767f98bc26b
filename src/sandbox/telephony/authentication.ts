import { createHash, randomBytes } from 'node:crypto'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import type { AccountState } from './account.ts'
import { headerOf, jsonFields, textOf, type WireFields, wireAnswer } from './wire.ts'

/** An authenticated request: its account and its fields. */
export type AcceptedRequest = { readonly account: AccountState; readonly fields: WireFields }

export type TokenRules = { readonly lifetimeMs: number; readonly mintsPerHour: number }

/** The account of a request, or the provider's refusal of it: wrong keys are refused in a body, with 401 or with 200. */
export function accept(accounts: readonly AccountState[], request: StandInRequest, now: number): AcceptedRequest | StandInAnswer {
  const fields = jsonFields(request)
  if (!fields) return wireAnswer({ status: 'error', message: 'Invalid Json Pass Valid Json' })
  const named = accounts.find((account) => account.account.userName === textOf(fields, 'userName'))
  const refusal = refusalOf({ accounts, request, fields, now })
  if (refusal === null && named) return { account: named, fields }
  return wireAnswer({ status: 'false', message: refusal ?? 'Invalid User Details', data: null }, named?.refusalStatus ?? 401)
}

type Asked = {
  readonly accounts: readonly AccountState[]
  readonly request: StandInRequest
  readonly fields: WireFields
  readonly now: number
}

function refusalOf({ accounts, request, fields, now }: Asked): string | null {
  const userName = textOf(fields, 'userName')
  if (userName === '') return 'Username Should Not be Null or Empty.'
  const account = accounts.find((candidate) => candidate.account.userName === userName)
  if (!account) return 'Invalid User Details'
  if (account.mode === 'token') return tokenRefusal(account, headerOf(request, 'authorization'), now)
  const key = headerOf(request, 'apikey')
  if (key === '') return 'Api Key Should Not be Null or Empty.'
  return key === account.account.apiKey ? null : 'Invalid User Details'
}

function tokenRefusal(account: AccountState, authorization: string, now: number): string | null {
  const token = /^Bearer (.+)$/.exec(authorization)?.[1]
  if (!token) return 'Token Should Not be Null or Empty.'
  if (token !== account.token?.value) return 'Invalid Token'
  return now >= account.token.expiresAt ? 'Token Expired' : null
}

/** `POST /ca_apis/CAToken/generateToken`: a new token ends the one before it; only so many an hour. */
export function mintToken(accounts: readonly AccountState[], rules: TokenRules, now: number) {
  return (request: StandInRequest): StandInAnswer => {
    const userName = textOf(jsonFields(request) ?? {}, 'userName')
    const key = headerOf(request, 'apikey')
    const refuse = (message: string): StandInAnswer => wireAnswer({ status: 'false', message, data: null }, 401)
    if (key === '') return refuse('Api Key Should Not be Null or Empty.')
    if (userName === '') return refuse('Username Should Not be Null or Empty.')
    const account = accounts.find((candidate) => candidate.account.userName === userName)
    if (account?.account.apiKey !== key) return refuse('Invalid User Details')
    const recent = account.mintedAt.filter((at) => at > now - 3_600_000)
    account.mintedAt.splice(0, account.mintedAt.length, ...recent)
    if (recent.length >= rules.mintsPerHour) return wireAnswer({ status: 'error', message: 'Token generation limit exceeded' }, 429)
    account.mintedAt.push(now)
    account.token = { value: webToken(userName, now, rules.lifetimeMs), expiresAt: now + rules.lifetimeMs }
    return wireAnswer({ token: account.token.value })
  }
}

/** Looks like the provider's JWT; only this stand-in checks it, so its signature is random. */
function webToken(userName: string, now: number, lifetimeMs: number): string {
  const claims = {
    sub: userName,
    iat: Math.floor(now / 1000),
    exp: Math.floor((now + lifetimeMs) / 1000),
    jti: randomBytes(8).toString('hex'),
  }
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return [...parts, createHash('sha256').update(parts.join('.')).digest('base64url')].join('.')
}
