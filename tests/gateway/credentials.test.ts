import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Kind, type OperationDefinitionNode, parse } from 'graphql'
import { UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import type { PasswordProof } from '../../src/features/auth/credential-gate.ts'
import { maxTokenChars } from '../../src/access/token-claims.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { type CredentialField, credentialField, enterGate, type GatedAnswer } from '../../src/server/graphql/credentials.ts'
import { rootSelections } from '../../src/server/graphql/root-selections.ts'
import { HttpContext } from '../../src/server/http/http-context.ts'
import { TimedResponse } from '../../src/server/http/timed-response.ts'

function credentialsIn(document: string): readonly CredentialField[] {
  const operation = parse(document).definitions.find((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION)
  if (!operation) throw new Error('no operation')
  const owners = { own: new Set<string>(), metadata: new Set<string>() }
  const selections = rootSelections(operation, { fragments: new Map(), owners })
  return selections.flatMap(({ fields }) => fields.map((field) => credentialField(field, operation)))
}

/** What the gate learns of an operation: who asks, and the outcome of each field for this answer of the platform. */
async function throughGate(
  document: string,
  {
    variables = {},
    answer = null,
    hasLeft = false,
    refuseAt = -1,
  }: { variables?: object; answer?: GatedAnswer; hasLeft?: boolean; refuseAt?: number } = {},
) {
  const request = new IncomingMessage(new Socket())
  const host = { log: createLog('silent'), addressOf: () => '192.0.2.1' }
  const ctx = new HttpContext(request, new TimedResponse(request), { host, deadlineMs: Number.POSITIVE_INFINITY })
  if (hasLeft) ctx.aborted = 'CLIENT_LEFT'
  const accounts: (string | null)[] = []
  const outcomes: string[] = []
  const proofs: PasswordProof[] = []
  const gate = {
    enter: async ({ account }: { account: string | null }) => {
      if (accounts.push(account) - 1 === refuseAt) throw new AppError('TOO_MANY_TRIES')
      return (outcome: string, proof?: PasswordProof) => {
        outcomes.push(outcome)
        if (proof) proofs.push(proof)
      }
    },
  }
  const entered = enterGate(gate, { ctx, credentials: credentialsIn(document), variables: { ...variables } })
  const settle = await entered.catch((error: unknown) => {
    if (error instanceof AppError && error.reason === 'TOO_MANY_TRIES') return null
    throw error
  })
  settle?.(answer)
  return { accounts, outcomes, proofs }
}

const logIn = 'mutation { login: getLoginTokenFromCredentials(email: "a@x.example", password: "p", origin: "o") { loginToken { token } } }'
const renew = 'mutation { renewToken(appToken: "t") { tokens { accessToken { token } } } }'
const secondFactor = (token: string) =>
  `mutation { getAuthTokensFromOTP(loginToken: "${token}", otp: "1") { tokens { accessToken { token } } } }`
const refused = (code: string, changes: object = {}): GatedAnswer => ({
  data: null,
  errors: [{ message: 'x', path: ['login'], extensions: { code }, ...changes }],
})
const tokenOf = (claims: object) => new UnsecuredJWT({ ...claims }).encode()

describe('the account of a credential', () => {
  test.each([
    ['named in the document', logIn, {}, 'a@x.example'],
    ['named by a variable', 'mutation($e: String) { signUp(email: $e) { id } }', { e: 'b@x.example' }, 'b@x.example'],
    ['named by a default', 'mutation($e: String = "c@x.example") { signUp(email: $e) { id } }', {}, 'c@x.example'],
    ['not named', renew, {}, null],
    ['that the login token names', secondFactor(tokenOf({ sub: 'u1' })), {}, 'second factor of u1'],
    ['of a text that is no token', secondFactor('odd'), {}, 'second factor of odd'],
  ])('is the one %s', async (...[, document, variables, account]) => {
    expect((await throughGate(document, { variables })).accounts).toEqual([account])
  })

  test('is refused if it is no text, or if its token is too long', async () => {
    const field = 'mutation($e: Int) { signUp(email: $e) { id } }'
    for (const variables of [{ e: 7 }, { e: null }, {}])
      await expect(throughGate(field, { variables })).rejects.toMatchObject({
        reason: 'INVALID_INPUT',
        data: { fields: [{ path: 'email' }] },
      })
    expect((await throughGate(secondFactor('x'.repeat(maxTokenChars)))).accounts).toHaveLength(1)
    await expect(throughGate(secondFactor('x'.repeat(maxTokenChars + 1)))).rejects.toMatchObject({
      reason: 'INVALID_INPUT',
      data: { fields: [{ path: 'loginToken' }] },
    })
  })
})

describe('the outcome of a credential', () => {
  const loggedIn: GatedAnswer = { data: { login: { loginToken: { token: tokenOf({ workspaceId: 'w1' }) } } } }

  test.each([
    ['an accepted password', logIn, loggedIn, 'RIGHT'],
    ['an accepted token', renew, { data: { renewToken: {} } }, 'UNKNOWN'],
    ['a new account', 'mutation { signUp(email: "a") { id } }', { data: { signUp: {} } }, 'WRONG'],
    ['a refused password', logIn, refused('UNAUTHENTICATED'), 'WRONG'],
    ['a password that is forbidden', logIn, refused('FORBIDDEN'), 'WRONG'],
    ['another error', logIn, refused('BAD_USER_INPUT'), 'UNKNOWN'],
    ['an error without a path', logIn, refused('FORBIDDEN', { path: undefined }), 'WRONG'],
    ['an error of another field', logIn, refused('FORBIDDEN', { path: ['other'] }), 'UNKNOWN'],
    [
      'an address that is not verified',
      logIn,
      refused('FORBIDDEN', { extensions: { code: 'FORBIDDEN', subCode: 'EMAIL_NOT_VERIFIED' } }),
      'RIGHT',
    ],
    [
      'a second factor that is needed',
      logIn,
      refused('FORBIDDEN', { extensions: { code: 'FORBIDDEN', subCode: 'TWO_FACTOR_AUTHENTICATION_REQUIRED' } }),
      'RIGHT',
    ],
    ['no answer', logIn, null, 'UNKNOWN'],
    ['no answer about an account', 'mutation { signUp(email: "a") { id } }', null, 'UNKNOWN'],
    ['a refused code', secondFactor('t'), refused('BAD_USER_INPUT', { path: ['getAuthTokensFromOTP'] }), 'WRONG'],
    ['a code of a refused token', secondFactor('t'), refused('UNAUTHENTICATED', { path: ['getAuthTokensFromOTP'] }), 'UNKNOWN'],
  ])('%s is known', async (...[, document, answer, outcome]) => {
    expect((await throughGate(document, { answer })).outcomes).toEqual([outcome])
  })

  test('counts an account that was asked about, also if the client did not wait', async () => {
    expect((await throughGate('mutation { signUp(email: "a") { id } }', { hasLeft: true })).outcomes).toEqual(['WRONG'])
    expect((await throughGate(logIn, { hasLeft: true })).outcomes).toEqual(['UNKNOWN'])
  })

  test('proves a password only with the workspace of its token', async () => {
    expect((await throughGate(logIn, { answer: loggedIn })).proofs).toEqual([{ email: 'a@x.example', password: 'p', workspaceId: 'w1' }])
    const without: GatedAnswer = { data: { login: { loginToken: { token: tokenOf({}) } } } }
    expect((await throughGate(logIn, { answer: without })).proofs).toEqual([])
    const other: GatedAnswer = { data: { getAuthTokensFromOTP: { token: tokenOf({ workspaceId: 'w1' }) } } }
    expect((await throughGate(secondFactor('t'), { answer: other })).proofs).toEqual([])
  })
})

test('a field that the gate refuses stops all; those before it are not counted', async () => {
  const both = `mutation { a: renewToken(appToken: "1") { x } b: renewToken(appToken: "2") { x } c: renewToken(appToken: "3") { x } }`
  expect(await throughGate(both, { refuseAt: 2 })).toMatchObject({ accounts: [null, null, null], outcomes: ['UNKNOWN', 'UNKNOWN'] })
})
