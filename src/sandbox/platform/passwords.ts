import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'

/** Deliberately cheap: under load, a stand-in signs in thousands of users, and these passwords protect nothing real. */
const cost = { N: 256, r: 8, p: 1 }

export function hashPassword(password: string): string {
  const salt = randomBytes(12)
  return `${salt.toString('base64url')}.${scryptSync(password, salt, 32, cost).toString('base64url')}`
}

export function isPassword(password: string, hash: string): boolean {
  const [salt = '', digest = ''] = hash.split('.')
  const expected = Buffer.from(digest, 'base64url')
  const given = scryptSync(password, Buffer.from(salt, 'base64url'), 32, cost)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
