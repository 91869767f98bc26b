import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { createAgentRecordCache } from '../../src/features/sessions/agent-record-cache.ts'
import { signInAtProvider, signOutAtProvider } from '../../src/features/sessions/agent-at-provider.ts'
import { readAgentSecrets, writeAgentSecrets } from '../../src/features/sessions/agent-secrets.ts'
import { cleanUpSessions } from '../../src/features/sessions/clean-up-sessions.ts'
import { closeSession } from '../../src/features/sessions/close-session.ts'
import { currentSession } from '../../src/features/sessions/current-session.ts'
import { formerSession, restoreFormerSession } from '../../src/features/sessions/former-session.ts'
import { lockAgent } from '../../src/features/sessions/lock-agent.ts'
import { scheduleCheck } from '../../src/features/sessions/session-checks.ts'
import { readLock, releaseLock, renewLock, type SessionLock, takeLock } from '../../src/features/sessions/session-lock.ts'
import { sessionOfDevice } from '../../src/features/sessions/session-of-device.ts'
import { readSessionRecord, type SessionRecord, sessionRecords, writeSessionRecord } from '../../src/features/sessions/session-records.ts'
import { announceTakeOver, readTakeOver, timeLeft, undoTakeOver } from '../../src/features/sessions/take-over.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { startSession } from '../../src/features/sessions/start-session.ts'
import { AppError, type ErrorReason } from '../../src/kernel/errors.ts'
import { hashOf } from '../../src/kernel/ids.ts'
import { createSecretBox } from '../../src/kernel/secrets.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Telephony } from '../../src/ports/telephony.ts'
import { failingStore } from '../harness/failing-store.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { lateStore } from '../harness/late-store.ts'
import { createSessionDesk, type SessionDesk } from '../harness/session-desk.ts'
import { waitFor } from '../harness/wait-for.ts'
import { doDue } from '../harness/do-due.ts'

/** The steps of a session with a real store whose writes come late: what is left when one fails, and what counts at the very moment. */

const hour = 3_600_000
let desk: SessionDesk
let store: Store
let ports: ReturnType<SessionDesk['instance']>['ports']
beforeAll(async () => {
  desk = await createSessionDesk()
})
afterAll(() => desk[Symbol.asyncDispose]())

let agents = 0
let agentKey: { workspaceId: string; providerAgentId: string }
beforeEach(() => {
  store = lateStore(desk.store)
  ports = { ...desk.instance().ports, store }
  desk.events.length = 0
  agents += 1
  agentKey = { workspaceId: `w${agents}`, providerAgentId: `a${agents}` }
})

const failing = (reason: ErrorReason) => () => Promise.reject(new AppError(reason))
/** Counts what the provider is asked for. */
function provider(changes: Partial<Pick<Telephony, 'signIn' | 'signOut'>> = {}) {
  const asked: string[] = []
  const telephonyOf = async (workspaceId: string): Promise<Telephony> => ({
    ...(await desk.instance().ports.telephonyOf(workspaceId)),
    signIn: async ({ agentId }) => ({ alreadySignedIn: asked.push(`in ${agentId}`) < 0 }),
    signOut: async ({ agentId }) => ({ wasSignedIn: asked.push(`out ${agentId}`) > 0 }),
    ...changes,
  })
  return { asked, telephonyOf }
}

/** A session that was confirmed, of the member `m`. */
async function begin(changes: Partial<SessionRecord> = {}): Promise<{ agentKey: typeof agentKey; lock: SessionLock }> {
  const lock = { memberId: 'm', ip: '::1', lockedAt: isoMoment(desk.clock.now()) }
  await takeLock(desk.store, { agentKey, lock })
  const credentials = { agentId: agentKey.providerAgentId, password: 'secret' }
  const record = { agentId: 'r', agentName: 'Agent', memberId: 'm', lockedAt: lock.lockedAt, credentials, isOver: false, takenOverBy: null }
  await writeSessionRecord({ ...ports, store: desk.store }, agentKey, { ...record, ...changes })
  await scheduleCheck(desk.store, agentKey, desk.clock.now() + 60_000)
  return { agentKey, lock }
}
const dueLater = async () =>
  (await desk.store.sortedRange(`sessions:${agentKey.workspaceId}:checks`, { limit: 5 })).map(({ member }) => member)
const actor = (memberId: string, accessToken = 'token'): Actor => ({
  principal: testPrincipal({ memberId, workspaceId: agentKey.workspaceId }),
  accessToken,
  clientAddress: '::1',
})

test('a session that ends leaves neither lock, record nor check, and its agent is signed out', async () => {
  const session = await begin()
  const { asked, telephonyOf } = provider()
  expect(await closeSession({ ...ports, telephonyOf }, session)).toEqual({ released: true, providerSignedOut: true })
  expect([await readLock(desk.store, agentKey), await readSessionRecord(ports, agentKey), await dueLater()]).toEqual([null, null, []])
  expect(asked).toEqual([`out ${agentKey.providerAgentId}`])
  expect(await closeSession({ ...ports, telephonyOf }, session)).toEqual({ released: false, providerSignedOut: false })
  expect(asked).toHaveLength(1)
})

test('a session without credentials ends without the provider', async () => {
  const session = await begin({ credentials: null })
  const { asked, telephonyOf } = provider()
  expect(await closeSession({ ...ports, telephonyOf }, session)).toEqual({ released: true, providerSignedOut: false })
  expect(asked).toEqual([])
})

test.each([
  ['its record cannot be read', (key: string) => key.includes(':record:'), {}],
  ['its record cannot be read and no check can be scheduled', (key: string) => key.includes(':record:') || key.endsWith(':checks'), {}],
  ['what is left of it cannot be removed', (key: string) => key.endsWith(':checks'), {}],
  ['the provider is away', () => false, { signOut: failing('PROVIDER_UNAVAILABLE') }],
] as const)('a session ends although %s, and the cleanup does the rest', async (_, isMeant, changes) => {
  const session = await begin()
  const { telephonyOf } = provider(changes)
  expect(await closeSession({ ...ports, store: failingStore(store, isMeant), telephonyOf }, session)).toMatchObject({ released: true })
  expect(await readLock(desk.store, agentKey)).toBeNull()
  desk.clock.advance(61_000)
  const later = provider()
  await doDue(cleanUpSessions, { ...ports, telephonyOf: later.telephonyOf })
  expect([await readSessionRecord(ports, agentKey), await dueLater()]).toEqual([null, []])
})

test('a sign-out is tried again for a day, to the millisecond', async () => {
  const { lock } = await begin()
  desk.clock.advance(hour + 1)
  const away = { ...ports, ...provider({ signOut: failing('PROVIDER_UNAVAILABLE') }) }
  await doDue(cleanUpSessions, away)
  expect(desk.events.filter((event) => event.workspaceId === agentKey.workspaceId)).toMatchObject([{ state: 'EXPIRED' }])
  const tryAt = async (ms: number) => {
    desk.clock.advance(Date.parse(lock.lockedAt) + ms - desk.clock.now())
    await scheduleCheck(desk.store, agentKey, desk.clock.now())
    await doDue(cleanUpSessions, away)
    return (await dueLater()).length
  }
  expect([await tryAt(24 * hour), await tryAt(24 * hour + 1)]).toEqual([1, 0])
  expect(desk.events.filter((event) => event.workspaceId === agentKey.workspaceId)).toHaveLength(1)
})

test('a session that lasts is left alone by the cleanup, which comes back when its lock would end', async () => {
  await begin()
  desk.clock.advance(60_000 - 1)
  const { asked, telephonyOf } = provider()
  await scheduleCheck(desk.store, agentKey, desk.clock.now())
  await doDue(cleanUpSessions, { ...ports, telephonyOf })
  const [check] = await desk.store.sortedRange(`sessions:${agentKey.workspaceId}:checks`, { limit: 1 })
  expect(check?.score).toBe((await readLock(desk.store, agentKey))?.expiresAt)
  desk.clock.advance(1)
  await doDue(cleanUpSessions, { ...ports, telephonyOf })
  expect(asked).toEqual([`out ${agentKey.providerAgentId}`])
})

test('the provider and its refusals: what counts as signed out, and what the agent reads', async () => {
  const credentials = { agentId: 'a', password: 'p' }
  const signOut = (reason: ErrorReason) => signOutAtProvider({ ...ports, ...provider({ signOut: failing(reason) }) }, agentKey, credentials)
  const outcomes = await Promise.all((['NOT_CONFIGURED', 'SIGN_IN_REFUSED', 'PROVIDER_UNAVAILABLE'] as const).map(signOut))
  expect(outcomes).toEqual([true, true, false])
  const agent = { ...credentials, phoneNumber: '1301' }
  const signIn = async (failure: Error | null, missing: string | null = null) => {
    const changes = failure === null ? {} : { signIn: () => Promise.reject(failure) }
    return signInAtProvider({ ...ports, ...provider(changes) }, agentKey, { agent: missing === null ? agent : null, missing })
  }
  expect(await signIn(null)).toEqual({ signedIn: true, reason: null })
  expect(await signIn(null, 'Enter it again')).toEqual({ signedIn: false, reason: 'Enter it again' })
  expect(await signIn(new AppError('NOT_CONFIGURED'))).toEqual({ signedIn: false, reason: 'Telephony is not configured' })
  expect((await signIn(new AppError('SIGN_IN_REFUSED'))).reason).toContain('refused the agent id or the password')
  expect((await signIn(new AppError('PROVIDER_UNAVAILABLE', { detail: 'It is away' }))).reason).toBe('It is away')
  expect((await signIn(new Error('x'))).reason).toBe('The telephony provider did not answer as expected')
})

test('an agent record is used for a minute, by every instance; one that nobody can open is read again', async () => {
  const member = { workspaceId: agentKey.workspaceId, memberId: 'm' }
  let reads = 0
  const agentRecords = { ofMember: async () => ((reads += 1), null) }
  const cacheOf = (sessionBox = ports.sessionBox) => createAgentRecordCache({ ...ports, agentRecords, sessionBox })
  const [here, there] = [cacheOf(), cacheOf()]
  const { readAt } = await here.ofMember(member, 'token')
  await waitFor(async () => (await desk.store.get(`agents:${member.workspaceId}:record:m`)) !== null)
  desk.clock.advance(59_999)
  expect([await here.ofMember(member, 'token'), await there.ofMember(member, 'token')]).toMatchObject([{ readAt }, { readAt }])
  expect(reads).toBe(1)
  await cacheOf(createSecretBox(new Uint8Array(32).fill(9))).ofMember(member, 'token')
  expect(reads).toBe(2)
  desk.clock.advance(1)
  expect((await here.ofMember(member, 'token')).readAt).toBe(readAt + 60_000)
  expect(reads).toBe(3)
  // A clock that is set back makes it no younger.
  desk.clock.advance(-600_000)
  await here.ofMember(member, 'token')
  expect(reads).toBe(4)
  await here.forget(member)
  for (const cache of [here, there]) await cache.ofMember(member, 'token')
  expect(reads).toBeGreaterThan(4)
})

test('the passwords of an agent are for the member they were set for, and are gone when there is none', async () => {
  const agent = { workspaceId: agentKey.workspaceId, agentId: 'r', memberId: 'm' }
  const secrets = { sipPassword: 'sip', providerAgentPassword: 'provider' }
  const nothing = { sipPassword: null, providerAgentPassword: null }
  expect(await readAgentSecrets(ports, agent)).toEqual({ secrets: nothing, reason: null })
  await writeAgentSecrets(ports, agent, secrets)
  expect(await readAgentSecrets(ports, agent)).toEqual({ secrets, reason: null })
  const others = await readAgentSecrets(ports, { ...agent, memberId: 'other' })
  expect(others.secrets).toEqual(nothing)
  expect(others.reason).toContain('belonged before')
  await writeAgentSecrets(ports, agent, { sipPassword: null, providerAgentPassword: 'provider' })
  expect((await readAgentSecrets(ports, agent)).secrets).toEqual({ sipPassword: null, providerAgentPassword: 'provider' })
  await writeAgentSecrets(ports, agent, nothing)
  expect(await desk.store.get(`agents:${agent.workspaceId}:secrets:r`)).toBeNull()
})

test('a take-over whose answer is lost gives the session back; one that is undone too', async () => {
  const { lock } = await begin()
  const lost: Store = {
    ...store,
    async compareAndSet(key, change) {
      const isSet = await store.compareAndSet(key, change)
      if (change.value.includes(lock.lockedAt)) return isSet
      throw new AppError('STORE_UNAVAILABLE')
    },
  }
  const wanted = { agentKey, wanted: { takeOver: true } }
  await expect(lockAgent({ ...ports, store: lost }, actor('m'), wanted)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  await waitFor(async () => (await readLock(desk.store, agentKey))?.lock.lockedAt === lock.lockedAt)
  await expect(lockAgent(ports, actor('other'), wanted)).rejects.toMatchObject({ reason: 'SESSION_LOCKED', data: { own: false } })
  await expect(lockAgent(ports, actor('m'), { agentKey })).rejects.toMatchObject({ reason: 'SESSION_LOCKED' })
  const { session, replaced } = await lockAgent(ports, actor('m'), wanted)
  expect(session.lock.lockedAt > lock.lockedAt).toBe(true)
  expect(replaced).toMatchObject({ lock, record: { agentId: 'r' } })
  if (!replaced) throw new Error('it was taken over')
  // The new session wrote its own record.
  await writeSessionRecord({ ...ports, store: desk.store }, agentKey, {
    ...(replaced.record ?? fail()),
    agentName: 'Another device',
    lockedAt: session.lock.lockedAt,
  })
  await undoTakeOver(ports, session, replaced)
  expect((await readLock(desk.store, agentKey))?.lock).toEqual(lock)
  expect((await readSessionRecord(ports, agentKey))?.record).toMatchObject({ agentName: 'Agent', lockedAt: lock.lockedAt })
  const left = (ms: number) => timeLeft(desk.clock, { lock, expiresAt: desk.clock.now() + ms })
  expect([left(-5), left(5_000), left(2 * hour)]).toEqual([1_000, 5_000, hour])
})

function fail(): never {
  throw new Error('not there')
}

test('after a take-over the token or the time of the lock says which device means the session', async () => {
  const { lock } = await begin({ takenOverBy: hashOf('new') })
  const earlier = isoMoment(Date.parse(lock.lockedAt) - 1)
  const ask = (token: string | undefined, lockedAt?: string) =>
    sessionOfDevice(ports, { principal: actor('m').principal, ...(token !== undefined && { accessToken: token }) }, lockedAt)
  expect(await ask('new')).toMatchObject({ lock })
  expect(await ask('old', lock.lockedAt)).toMatchObject({ lock })
  for (const asking of [() => ask('old'), () => ask(undefined), () => ask('new', earlier)])
    await expect(asking()).rejects.toMatchObject({ reason: 'SESSION_TAKEN_OVER', data: { lockedAt: lock.lockedAt } })
  expect(await ask('new', isoMoment(Date.parse(lock.lockedAt) + 1))).toBeNull()
  expect(await currentSession(ports, { ...actor('other').principal })).toBeNull()
})

test('a take-over is announced although it cannot be stored, and stored although nobody can be told', async () => {
  const takeOver = { memberId: 'm', lockedAt: isoMoment(desk.clock.now()), tokenHash: 'hash' }
  const member = { workspaceId: agentKey.workspaceId, memberId: 'm' }
  await announceTakeOver({ ...ports, store: failingStore(store, () => true) }, agentKey.workspaceId, takeOver)
  expect(await readTakeOver(desk, member)).toBeNull()
  const silent = { ...ports, notifications: { ...ports.notifications, publish: failing('STORE_UNAVAILABLE') } }
  await announceTakeOver(silent, agentKey.workspaceId, takeOver)
  expect(await readTakeOver(desk, member)).toEqual(takeOver)
})

test('a sign-in that waits too long for the store does not free the lock of another one in the same millisecond', async () => {
  const waiting = Promise.withResolvers<void>()
  const slow: Store = {
    ...desk.store,
    async setIfAbsent(...given) {
      await waiting.promise
      return desk.store.setIfAbsent(...given)
    },
  }
  const released = Promise.withResolvers<boolean>()
  const noted: Store = {
    ...slow,
    async compareAndDelete(...given) {
      const isReleased = await desk.store.compareAndDelete(...given)
      released.resolve(isReleased)
      return isReleased
    },
  }
  const late = lockAgent({ ...ports, store: noted }, actor('m'), { agentKey, wanted: { takeOver: false } })
  await expect(late).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  const { session } = await lockAgent({ ...ports, store: desk.store }, actor('m'), { agentKey, wanted: { takeOver: false } })
  waiting.resolve()
  expect(await released.promise).toBe(false)
  expect((await readLock(desk.store, agentKey))?.lock).toEqual(session.lock)
})

test('a lock that others take and release all the time is tried five times', async () => {
  let tries = 0
  const busy: Store = { ...store, setIfAbsent: async () => (tries += 1) < 0, entry: async () => null }
  const lock = { memberId: 'm', ip: '::1', lockedAt: isoMoment(desk.clock.now()) }
  await expect(takeLock(busy, { agentKey, lock })).rejects.toMatchObject({ reason: 'OVERLOADED' })
  expect(tries).toBe(5)
})

test('of two devices that take one session over, the second is refused, and takes it if the first has left', async () => {
  await begin()
  const wanted = { agentKey, wanted: { takeOver: true } }
  /** What happens between the second device's look at the lock and its own. */
  const meanwhile = (act: () => Promise<unknown>): Store => ({
    ...store,
    async compareAndSet(key, change) {
      await act()
      return store.compareAndSet(key, change)
    },
  })
  const first = () => lockAgent({ ...ports, store: desk.store }, { ...actor('m'), clientAddress: '::2' }, wanted)
  const refused = lockAgent({ ...ports, store: meanwhile(first) }, actor('m'), wanted)
  await expect(refused).rejects.toMatchObject({ reason: 'SESSION_LOCKED', data: { ip: '::2' } })
  expect((await readLock(desk.store, agentKey))?.lock.ip).toBe('::2')
  const leaves = async () => {
    const held = await readLock(desk.store, agentKey)
    if (held) await releaseLock(desk.store, { agentKey, lock: held.lock })
  }
  const { session, replaced } = await lockAgent({ ...ports, store: meanwhile(leaves) }, actor('m'), wanted)
  expect(replaced).toBeNull()
  expect((await readLock(desk.store, agentKey))?.lock).toEqual(session.lock)
})

test('a session with a former agent whose record cannot be read does not stop a sign-in', async () => {
  await begin()
  await desk.store.set(sessionRecords.keyText(agentKey), 'of another version', { ttlMs: 60_000 })
  const member = { workspaceId: agentKey.workspaceId, memberId: 'm' }
  expect(await formerSession(ports, member, { ...agentKey, providerAgentId: 'new' })).toBeNull()
})

test('a session with the former agent of the provider is the member’s again if the new one is abandoned', async () => {
  const member = { workspaceId: agentKey.workspaceId, memberId: 'm' }
  const former = agentKey
  const { lock } = await begin()
  expect(await formerSession(ports, member, former)).toBeNull()
  agentKey = { ...former, providerAgentId: 'new' }
  const found = await formerSession(ports, member, agentKey)
  expect(found).toMatchObject({ agentKey: former, lock })
  await begin()
  expect(await currentSession(ports, member)).toMatchObject({ agentKey })
  if (found) await restoreFormerSession(ports, found, agentKey)
  expect(await currentSession(ports, member)).toMatchObject({ agentKey: former, lock })
})

const noSecrets = { campaignName: null, sipPassword: null, providerAgentPassword: null }

/** The member's live session, and one with another agent of the provider that starts and is abandoned. */
async function abandoned(beforeAbandoning: (newKey: typeof agentKey, own: { isMeant: (key: string) => boolean }) => Promise<void>) {
  const former = agentKey
  const { lock } = await begin()
  await renewLock(desk.store, { agentKey, lock }, hour)
  const newKey = { ...former, providerAgentId: 'new' }
  const own = { isMeant: (_key: string) => false }
  const failingPorts = { ...ports, store: failingStore(store, (key) => own.isMeant(key)), ...provider() }
  const record = { id: 'r', name: 'Agent', memberId: 'm', sipExtension: null, providerAgentId: 'new', ...noSecrets }
  const { signal } = new AbortController()
  const started = await startSession(failingPorts, actor('m'), { record, signal })
  await beforeAbandoning(newKey, own)
  await started.abandon()
  return { former, lock, newKey, own, current: await currentSession(ports, { workspaceId: former.workspaceId, memberId: 'm' }) }
}

test('no live session is lost when the new one is abandoned, also if that fails or comes late', async () => {
  for (const prepare of [
    async () => {},
    async (_: unknown, own: { isMeant: (key: string) => boolean }) => void (own.isMeant = (key) => key.includes(':lease:')),
    // Its provisional lock has expired.
    async () => desk.clock.advance(61_000),
    async (newKey: typeof agentKey) => {
      desk.clock.advance(61_000)
      await takeLock(desk.store, { agentKey: newKey, lock: { memberId: 'another', ip: '::2', lockedAt: isoMoment(desk.clock.now()) } })
    },
  ]) {
    agents += 1
    agentKey = { workspaceId: `w${agents}`, providerAgentId: `a${agents}` }
    const { former, lock, current } = await abandoned(prepare)
    expect(current).toMatchObject({ agentKey: former, lock })
  }
})

test('no live session is lost because the store fails when the new one is abandoned', async () => {
  const { former, lock, own, current } = await abandoned(async (newKey, away) => {
    away.isMeant = (key) => key.includes(newKey.providerAgentId) || key.includes(':member:')
  })
  expect(current).not.toMatchObject({ agentKey: former })
  own.isMeant = () => false
  const member = { workspaceId: former.workspaceId, memberId: 'm' }
  await expect.poll(() => currentSession(ports, member), { timeout: 5_000 }).toMatchObject({ agentKey: former, lock })
})

test('an abandoned sign-in does not replace the session that another device of the member began after it', async () => {
  const { newKey, current } = await abandoned(async (key) => {
    desk.clock.advance(61_000)
    agentKey = key
    await begin()
  })
  expect(current).toMatchObject({ agentKey: newKey })
})
