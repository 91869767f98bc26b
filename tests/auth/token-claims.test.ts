import { expect, test } from 'vitest'
import { maxTokenChars, readClaims } from '../../src/access/token-claims.ts'
import { platformErrorSchema } from '../../src/providers/platform/errors.ts'

/** Texts of the platform whose parts have other types than those that we know. */

const tokenWith = (claims: object): string =>
  [{ alg: 'HS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') + '.x'

const known = { exp: 7, iat: 5, type: 'ACCESS', sub: 'u', workspaceId: 'w', workspaceMemberId: 'm', isImpersonating: true }
const read = { expiresAt: 7_000, issuedAt: 5, type: 'ACCESS', subject: 'u', workspaceId: 'w', memberId: 'm', isImpersonated: true }

test.each([
  ['exp', { expiresAt: null }],
  ['iat', { issuedAt: null }],
  ['type', { type: null }],
  ['sub', { subject: null }],
  ['workspaceId', { workspaceId: null }],
  ['workspaceMemberId', { memberId: null }],
  ['isImpersonating', { isImpersonated: false }],
])('a claim %s of another type counts as missing, the others count', (claim, changed) => {
  expect(readClaims(tokenWith(known))).toEqual(read)
  expect(readClaims(tokenWith({ ...known, [claim]: {} }))).toEqual({ ...read, ...changed })
})

test('a text that is no token has no claims; nor has a token that is too long', () => {
  expect([readClaims(''), readClaims('a.b.c')]).toEqual([null, null])
  const padding = (length: number): string => tokenWith({ pad: 'x'.repeat(length) })
  const longest = padding(5_900)
  const more = maxTokenChars - longest.length
  expect(readClaims(`${longest}${'x'.repeat(more)}`)).not.toBeNull()
  expect(readClaims(`${longest}${'x'.repeat(more + 1)}`)).toBeNull()
})

test.each([
  ['code', null],
  ['subCode', null],
  ['conflictingRecordId', null],
])('a part %s of an error that has another type counts as missing, the others count', (part, missing) => {
  const extensions = { code: 'c', subCode: 's', conflictingRecordId: 'r' }
  expect(platformErrorSchema.parse({ message: 'm', extensions: { ...extensions, [part]: 7 } })).toEqual({
    message: 'm',
    extensions: { ...extensions, [part]: missing },
  })
  expect(platformErrorSchema.parse({ message: 7, extensions }).message).toBe('')
  expect(platformErrorSchema.parse({ message: 'm', extensions: 7 }).extensions).toEqual({
    code: null,
    subCode: null,
    conflictingRecordId: null,
  })
})
