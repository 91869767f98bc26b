import { sandboxPassword } from '../../../src/sandbox/platform/seed.ts'
import { createTestApp, type TestApp } from '../../harness/app.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { type Figure, say } from '../stage/report.ts'

const members = ['manager', 'user', 'guest'] as const
/** More than the ten wrong attempts of an account in fifteen minutes. */
const attempts = 30
const attackers = 50
/** The breaker of sign-ins lets a request through again. */
const recoveryMs = 10_000

/** Who can sign in after an outage of the platform, and while somebody guesses at an account. */
export async function proveLockout(): Promise<readonly Figure[]> {
  return [await proveOutage(), await proveGuessing()]
}

async function proveOutage(): Promise<Figure> {
  await using app = await createTestApp()
  say(`${members.length} members of one office try ${attempts} times each while the platform answers 503`)
  app.standIns.platform.fault({ operation: 'getLoginTokenFromCredentials', act: 'refuse', status: 503, body: '<html>' })
  const statuses = new Set<number>()
  for (const member of members) for (let count = 0; count < attempts; count++) statuses.add(await signIn(app, { member }))
  app.standIns.platform.clearFaults()
  const [overAt, signedIn] = [performance.now(), new Set<string>()]
  const tryAll = async (): Promise<boolean> => {
    for (const member of members) if (!signedIn.has(member) && (await signIn(app, { member })) === 200) signedIn.add(member)
    return signedIn.size === members.length
  }
  await waitFor(tryAll, { deadlineMs: recoveryMs, what: 'the sign-ins' }).catch(() => undefined)
  const seconds = ((performance.now() - overAt) / 1_000).toFixed(1)
  return {
    claim: `an outage during ${members.length * attempts} sign-ins from one address: who signs in within ${recoveryMs / 1_000} s when it is over`,
    figure: `${signedIn.size} of ${members.length} members, after ${seconds} s; the outage was answered ${[...statuses].join(', ')}`,
    holds: signedIn.size === members.length && [...statuses].every((status) => status === 502 || status === 503),
  }
}

async function proveGuessing(): Promise<Figure> {
  await using app = await createTestApp()
  const owner = { member: 'user', address: '203.0.113.7' }
  const before = await signIn(app, owner)
  say(`${attackers} addresses guess at the account`)
  const asked = () => app.standIns.platform.calls('getLoginTokenFromCredentials').length
  const reachedBefore = asked()
  for (let index = 0; index < attackers; index++)
    for (let count = 0; count < 4; count++)
      await signIn(app, { member: 'user', address: `198.51.100.${index + 1}`, password: `guess-${index}-${count}` })
  const reached = asked() - reachedBefore
  const during = await signIn(app, owner)
  return {
    claim: `${attackers} addresses guess ${attackers * 4} passwords of an account: who reaches the platform, and whether the owner signs in`,
    figure: `${reached} guesses reach the platform; the owner, from the address of the last sign-in, gets ${during}`,
    holds: before === 200 && during === 200 && reached <= 10,
  }
}

type Attempt = { readonly member: string; readonly address?: string; readonly password?: string }

async function signIn(app: TestApp, { member, address, password = sandboxPassword }: Attempt): Promise<number> {
  const body = { email: `${member}@demo.example`, password, workspace: 'demo' }
  const headers = address === undefined ? {} : { 'x-forwarded-for': address }
  return (await app.rest('POST', '/auth/login', { body, headers })).status
}
