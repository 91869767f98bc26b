import { Client as UrqlClient, fetchExchange } from '@urql/core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Client,
  type OpenStream,
  type SessionLost,
  ServiceError,
  type SessionStore,
  type StreamOptions,
  webStore,
} from '../../packages/client/src/client.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { startSandbox } from '../../src/sandbox/start.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { startBrowser } from '../harness/browser.ts'
import { bundled, startProgramPage } from '../harness/client-bundle.ts'
import { clientFor, collect, createTestTimers, openRelay, type Relay, type TestTimers } from '../harness/client-stage.ts'
import { createTestClock, type TestClock } from '../harness/clock.ts'
import { realServer } from '../harness/real-server.ts'
import { recordedCalls } from '../harness/recordings.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { loginTokenOf } from '../harness/tokens-without-session.ts'
import { waitFor } from '../harness/wait-for.ts'
import type * as program from './client-program.ts'
import { startApp } from '../harness/start-app.ts'

const minute = 60_000
const account = (name: string) => ({ email: `${name}@demo.example`, password: sandboxPassword, workspace: 'demo' })

let clock: TestClock
let timers: TestTimers
let app: TestApp
let relay: Relay
let open: DisposableStack
beforeAll(async () => {
  clock = createTestClock()
  app = await createTestApp({ clock, receivesWebhooks: true, environment: { ALLOWED_ORIGINS: 'http://127.0.0.1:*' } })
  app.standIns.telephony.accountMode({ mode: 'token' })
  relay = await openRelay(app.url)
})
afterAll(async () => {
  await relay[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})
beforeEach(() => {
  open = new DisposableStack()
  timers = createTestTimers(clock)
})
// Each test has the agents for itself.
afterEach(async () => {
  open.dispose()
  using manager = clientFor({ url: app.url })
  await manager.signIn(account('manager'))
  const { agentSessions } = await manager.query({ agentSessions: { agentId: true } })
  for (const { agentId } of agentSessions) {
    await manager.rest('DELETE /api/sessions/{agentId}', { path: { agentId }, body: { reason: 'next test' } })
  }
})

const renewals = (): number => app.standIns.platform.calls('renewToken').length
const newClient = (store?: SessionStore, ownFetch?: typeof fetch): Client =>
  open.use(clientFor({ url: relay.url, timers, ...(store && { store }), ...(ownFetch && { fetch: ownFetch }) }))
const isHeartbeat = ({ body }: RequestInit = {}): boolean => typeof body === 'string' && /\bheartbeat\b/.test(body)
async function signedIn(name: string, store?: SessionStore): Promise<Client> {
  const client = newClient(store)
  await client.signIn(account(name))
  return client
}
function lossesOf(client: Client): readonly SessionLost[] {
  const losses: SessionLost[] = []
  client.onSessionLost((lost) => losses.push(lost))
  return losses
}
const errorOf = (failing: Promise<unknown>): Promise<unknown> =>
  failing.then(
    () => null,
    (error: unknown) => error,
  )
const role = { me: { role: true } } as const

/** The call of before has ended then: no second one rings at an agent. */
function ring(): string {
  const { telephony } = app.standIns
  const { ucid } = telephony.agent({ agentId: 'agent1' })
  if (ucid !== null && telephony.call({ ucid }).phase !== 'ended') telephony.hangUp({ ucid })
  return telephony.ring({ from: '+919812345670', agentId: 'agent1' }).ucid
}

/** Like a browser's storage. */
function pageStorage(): SessionStore {
  const values = new Map<string, string>()
  return webStore({
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  })
}

describe('signing in', () => {
  test('an agent signs in, works and signs out', async () => {
    const client = newClient()
    const { role: own, session, sip, telephony } = await client.signIn(account('agent1'))
    expect({ own, telephony, sip }).toMatchObject({ own: 'AGENT', telephony: { signedIn: true }, sip: { username: '5231' } })
    expect(client.agentSession).toEqual(session)
    const { callLookup } = await client.query({
      callLookup: { $: { phoneNumber: '98140 12345' }, match: true, phoneNumber: true, lead: { name: true } },
    })
    expect(callLookup).toMatchObject({ match: 'ONE', phoneNumber: '+919814012345' })
    const { setAgentState } = await client.mutate({
      setAgentState: { $: { input: { state: 'NOT_READY', reason: 'Training' } }, state: true, reason: true },
    })
    expect(setAgentState).toEqual({ state: 'NOT_READY', reason: 'Training' })
    expect(await client.signOut()).toEqual({ released: true, providerSignedOut: true })
    expect(client.agentSession).toBeNull()
    expect(await errorOf(client.query(role))).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING' })
    expect(timers.waiting()).toEqual([])
  })

  test('errors of a sign-in, of rights and of input are typed', async () => {
    const client = newClient()
    expect(await errorOf(client.signIn({ ...account('agent1'), password: 'wrong' }))).toMatchObject({
      code: 'UNAUTHENTICATED',
      reason: 'SIGN_IN_REFUSED',
    })
    await client.signIn(account('agent1'))
    const second = await errorOf(newClient().signIn(account('agent1')))
    expect(second).toBeInstanceOf(ServiceError)
    expect(second).toMatchObject({
      code: 'CONFLICT',
      reason: 'SESSION_LOCKED',
      retryable: false,
      data: { ip: '127.0.0.1', lockedAt: client.agentSession?.lockedAt },
    })
    expect(await errorOf(client.query({ auditLog: { __typename: true } }))).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'ROLE_MISSING',
      path: ['auditLog'],
    })
    const invalid = { code: 'BAD_USER_INPUT', retryable: false }
    const dial = client.mutate({ dial: { $: { input: { phoneNumber: 'nobody' } }, ucid: true } })
    expect(await errorOf(dial)).toMatchObject({ ...invalid, data: { fields: [{ path: 'input.phoneNumber' }] } })
    const inRest = client.rest('POST /api/calls/dial', { body: { phoneNumber: 'nobody' } })
    expect(await errorOf(inRest)).toMatchObject({ ...invalid, data: { fields: [{ path: 'phoneNumber' }] } })
  })

  test('after single sign-on an agent starts the session alone', async () => {
    const client = newClient()
    const loginToken = await loginTokenOf({ url: app.url, workspaceUrl: app.standIns.platform.workspaceUrl }, 'agent1@demo.example')
    await client.exchangeLoginToken({ loginToken, workspace: 'demo' })
    expect(client.agentSession).toBeNull()
    const { sip } = await client.startAgentSession()
    expect(sip?.username).toBe('5231')
    expect(client.agentSession?.lockedAt).toMatch(/Z$/)
  })

  test('a page that was reloaded goes on with the stored session', async () => {
    const store = pageStorage()
    const before = await signedIn('agent1', store)
    const { agentSession } = before
    before.close()
    timers.advance(40 * minute)
    const after = newClient(store)
    expect(await after.resume()).toMatchObject({ role: 'AGENT', user: { email: 'agent1@demo.example' } })
    expect(after.agentSession).toMatchObject({
      lockedAt: agentSession?.lockedAt,
      expiresAt: new Date(clock.now() + 60 * minute).toISOString(),
    })
    await after.signOut()
    expect(await newClient(store).resume()).toBeNull()
  })
})

describe('tokens', () => {
  test('that end soon are renewed before they are sent, once for all requests', async () => {
    const client = await signedIn('agent1')
    const [before, first] = [renewals(), await client.accessToken()]
    timers.advance(29 * minute + 30_000)
    const answers = await Promise.all([client.query(role), client.query(role), client.rest('GET /auth/me'), client.accessToken()])
    expect(answers).toMatchObject([
      { me: { role: 'AGENT' } },
      { me: { role: 'AGENT' } },
      { role: 'AGENT' },
      expect.not.stringMatching(first ?? ''),
    ])
    expect(renewals() - before).toBe(1)
    timers.advance(29 * minute + 30_000)
    expect(await client.query(role)).toEqual({ me: { role: 'AGENT' } })
    expect(renewals() - before).toBe(2)
  })

  test('that are refused are renewed and sent again, once for all requests', async () => {
    // The clock of this device stands still.
    const client = open.use(clientFor({ url: app.url, timers: createTestTimers(createTestClock()) }))
    await client.signIn(account('manager'))
    const before = renewals()
    clock.advance(31 * minute)
    const answers = await Promise.all([
      client.query(role),
      client.execute('{ leads(first: 1) { pageInfo { hasNextPage } } }'),
      client.rest('GET /auth/me'),
    ])
    expect(answers).toMatchObject([{ me: { role: 'MANAGER' } }, { leads: { pageInfo: { hasNextPage: true } } }, { role: 'MANAGER' }])
    expect(renewals() - before).toBe(1)
  })

  test('are not renewed for every request if the clock of the device is wrong', async () => {
    const client = open.use(clientFor({ url: app.url, timers: createTestTimers(createTestClock('2031-01-01T00:00:00.000Z')) }))
    await client.signIn(account('manager'))
    const before = renewals()
    expect(await client.query(role)).toEqual({ me: { role: 'MANAGER' } })
    expect(renewals()).toBe(before)
  })

  test('serve another GraphQL client too', async () => {
    const client = await signedIn('manager')
    const withToken: typeof fetch = async (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('authorization', `Bearer ${await client.accessToken()}`)
      return fetch(input, { ...init, headers })
    }
    const urql = new UrqlClient({ url: `${app.url}/graphql`, fetch: withToken, preferGetMethod: false, exchanges: [fetchExchange] })
    timers.advance(31 * minute)
    expect(await urql.query('{ me { role } }', {})).toMatchObject({ data: { me: { role: 'MANAGER' } }, error: undefined })
  })

  test('renewed by another tab are taken over', async () => {
    const store = pageStorage()
    const one = await signedIn('manager', store)
    const other = newClient(store)
    await other.resume()
    const before = renewals()
    timers.advance(31 * minute)
    await one.query(role)
    timers.advance(2 * minute)
    expect(await other.query(role)).toEqual({ me: { role: 'MANAGER' } })
    expect(renewals() - before).toBe(1)
    const losses = lossesOf(other)
    await one.signOut()
    timers.advance(31 * minute)
    expect(await errorOf(other.query(role))).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(losses).toMatchObject([{ reason: 'ENDED' }])
  })
})

describe('a store that tabs share', () => {
  test('stays empty when one tab has signed out and another loses the session', async () => {
    const store = pageStorage()
    const one = await signedIn('agent1', store)
    const other = newClient(store)
    await other.resume()
    const losses = lossesOf(other)
    await one.signOut()
    expect(await store.read()).toBeNull()
    timers.advance(5 * minute)
    await waitFor(() => losses.length > 0)
    expect(losses).toMatchObject([{ reason: 'ENDED' }])
    expect(await store.read()).toBeNull()
  })

  test('says that another device took over also if another tab has forgotten the tokens first', async () => {
    const store = pageStorage()
    const one = await signedIn('agent1', store)
    const other = newClient(store)
    await other.resume()
    const losses = lossesOf(other)
    const device = newClient()
    const loginToken = await loginTokenOf({ url: app.url, workspaceUrl: app.standIns.platform.workspaceUrl }, 'agent1@demo.example')
    await device.exchangeLoginToken({ loginToken, workspace: 'demo' })
    await device.startAgentSession({ takeOver: true })
    await waitFor(async () => (await one.resume()) === null)
    expect(await store.read()).toBeNull()
    expect(await errorOf(other.query(role))).toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(losses).toMatchObject([{ reason: 'TAKEN_OVER', error: { data: { endedBy: 'TAKE_OVER' } } }])
  })

  test('stays with the member who signed in last, whatever the tab of another one does', async () => {
    const store = pageStorage()
    const first = await signedIn('agent1', store)
    await signedIn('agent2', store)
    const stored = await store.read()
    const before = first.agentSession?.expiresAt
    timers.advance(30_000)
    await first.startAgentSession({ takeOver: true })
    expect(first.agentSession?.expiresAt).not.toBe(before)
    expect(await store.read()).toEqual(stored)
    await first.signOut()
    expect(await store.read()).toEqual(stored)
  })

  test('keeps the tokens that another tab has renewed', async () => {
    const store = pageStorage()
    const one = await signedIn('agent1', store)
    const other = newClient(store)
    await other.resume()
    const old = (await one.accessToken()) ?? ''
    clock.advance(2_000)
    const renewed = await other.renewToken(old)
    expect(renewed).not.toBe(old)
    await one.startAgentSession({ takeOver: true })
    expect(await store.read()).toMatchObject({ accessToken: renewed, agentSession: { lockedAt: one.agentSession?.lockedAt } })
    expect(await one.accessToken()).toBe(renewed)
  })

  test('starts the agent session again also from a tab that did not begin it, and takes none over that another device has begun', async () => {
    const store = pageStorage()
    const one = await signedIn('agent1', store)
    const tab = newClient(store)
    await tab.resume()
    clock.advance(1_000)
    const { sip, session } = await one.restartAgentSession()
    clock.advance(1_000)
    expect((await tab.restartAgentSession()).sip).toEqual(sip)
    expect(tab.agentSession?.lockedAt).not.toBe(session.lockedAt)
    // With the same tokens, which a take-over does not refuse: as in the moment before the others are refused.
    const elsewhere = pageStorage()
    await elsewhere.write(await store.read())
    const device = newClient(elsewhere)
    await device.resume()
    clock.advance(1_000)
    const { lockedAt } = (await device.startAgentSession({ takeOver: true })).session
    for (const client of [one, tab]) {
      expect(await errorOf(client.restartAgentSession())).toMatchObject({ reason: 'SESSION_LOCKED', data: { own: true, lockedAt } })
    }
  })

  test('gives the tokens of a tab that was faster, if the same refresh token is refused', async () => {
    const store = pageStorage()
    const one = await signedIn('agent1', store)
    const old = (await one.accessToken()) ?? ''
    const slower = newClient(store, async (input, init) => {
      if (typeof init?.body !== 'string' || !init.body.includes('refreshTokens')) return fetch(input, init)
      clock.advance(2_000)
      await one.renewToken(old)
      return refusal()
    })
    await slower.resume()
    const losses = lossesOf(slower)
    expect(await slower.renewToken(old)).toBe(await one.accessToken())
    expect(await one.accessToken()).not.toBe(old)
    expect(losses).toEqual([])
  })

  test('is left if it cannot be written to: the session goes on in memory', async () => {
    const full = { read: () => null, write: () => Promise.reject(new DOMException('full', 'QuotaExceededError')) }
    const client = await signedIn('agent1', full)
    timers.advance(29 * minute + 30_000)
    expect(await client.query(role)).toEqual({ me: { role: 'AGENT' } })
    expect(await client.signOut()).toMatchObject({ released: true })
    expect(await client.accessToken()).toBeNull()
  })
})

describe('another sign-in on the same client', () => {
  test('ends the streams, and renews no token of the member before', async () => {
    const client = await signedIn('agent1')
    const events = collect(client.subscribe({ callEvents: { kind: true, call: { ucid: true } } }))
    await ringUntilSeen(events.items)
    const refused = (await client.accessToken()) ?? ''
    await client.signIn(account('manager'))
    expect(await events.ended).toBeUndefined()
    expect(await errorOf(client.renewToken(refused))).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING' })
    const opened: string[] = []
    const state = (now: string): void => void opened.push(now)
    const ofManager = collect(client.subscribe({ supervisionUpdates: { at: true } }, { onState: state }))
    await waitFor(() => opened.length > 0)
    const loginToken = await loginTokenOf({ url: app.url, workspaceUrl: app.standIns.platform.workspaceUrl }, 'agent1@demo.example')
    await client.exchangeLoginToken({ loginToken, workspace: 'demo' })
    expect(await ofManager.ended).toBeUndefined()
  })

  test('a request that was refused is not repeated as somebody else', async () => {
    let meanwhile = async (): Promise<unknown> => undefined
    const client = newClient(undefined, async (input, init) => {
      if (typeof init?.body === 'string' && init.body.includes('setAgentState')) {
        await meanwhile()
        return refusal()
      }
      return fetch(input, init)
    })
    await client.signIn(account('agent1'))
    meanwhile = () => client.signIn(account('agent2'))
    const failed = client.mutate({ setAgentState: { $: { input: { state: 'READY' } }, state: true } })
    expect(await errorOf(failed)).toMatchObject({ code: 'UNAUTHENTICATED', message: 'Signed out; sign in again' })
  })
})

/** As the service refuses a token. */
const refusal = (): Response => Response.json({ code: 'UNAUTHENTICATED', reason: 'TOKEN_REFUSED', detail: 'refused' }, { status: 401 })

describe('the agent session', () => {
  test('that has ended meanwhile is not restored by a late heartbeat', async () => {
    const store = pageStorage()
    const [arrived, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const client = newClient(store, async (input, init) => {
      const answer = await fetch(input, init)
      if (isHeartbeat(init)) {
        arrived.resolve()
        await goOn.promise
      }
      return answer
    })
    await client.signIn(account('agent1'))
    timers.advance(5 * minute)
    await arrived.promise
    clock.advance(1_000)
    await client.startAgentSession({ takeOver: true })
    const { agentSession } = client
    goOn.resolve()
    expect(await client.query(role)).toEqual({ me: { role: 'AGENT' } })
    expect(client.agentSession).toEqual(agentSession)
    expect(await store.read()).toMatchObject({ agentSession: { lockedAt: agentSession?.lockedAt } })
  })

  test('whose heartbeat is refused with a renewed token too has expired', async () => {
    const client = newClient(undefined, (input, init) => (isHeartbeat(init) ? Promise.resolve(refusal()) : fetch(input, init)))
    await client.signIn(account('agent1'))
    const losses = lossesOf(client)
    timers.advance(5 * minute)
    await waitFor(() => losses.length > 0)
    expect(losses).toMatchObject([{ reason: 'EXPIRED', error: { code: 'UNAUTHENTICATED' } }])
    expect(timers.waiting()).toEqual([])
  })

  test('whose heartbeat fails for good waits its usual interval', async () => {
    let failures = 0
    const client = newClient(undefined, (input, init) => {
      if (!isHeartbeat(init)) return fetch(input, init)
      failures += 1
      return Promise.resolve(Response.json({ code: 'BAD_USER_INPUT', detail: 'no' }, { status: 400 }))
    })
    await client.signIn(account('agent1'))
    timers.advance(5 * minute)
    await waitFor(() => failures > 0 && timers.waiting().length === 1)
    expect(timers.waiting()).toEqual([5 * minute])
  })

  test('is renewed at the interval that the service names, also after a failure', async () => {
    const client = await signedIn('agent1')
    const losses = lossesOf(client)
    expect(timers.waiting()).toEqual([5 * minute])
    const expiresAt = client.agentSession?.expiresAt
    timers.advance(5 * minute)
    await waitFor(() => client.agentSession?.expiresAt !== expiresAt)
    await waitFor(() => timers.waiting().includes(5 * minute))
    relay.pointTo('http://127.0.0.1:1')
    relay.cut()
    timers.advance(5 * minute)
    // After a failure the next one comes sooner.
    await waitFor(() => timers.waiting().some((ms) => ms <= 1_000))
    relay.pointTo(app.url)
    const before = client.agentSession?.expiresAt
    timers.advance(1_000)
    await waitFor(() => client.agentSession?.expiresAt !== before)
    expect(losses).toEqual([])
  })

  test('that was taken over is reported by the stream or the heartbeat', async () => {
    const old = await signedIn('agent1')
    const losses = lossesOf(old)
    const stream = collect(old.subscribe({ callEvents: { kind: true } }))
    const beating = await signedIn('agent2')
    const lossesOfBeating = lossesOf(beating)
    for (const name of ['agent1', 'agent2']) {
      const device = newClient()
      const loginToken = await loginTokenOf({ url: app.url, workspaceUrl: app.standIns.platform.workspaceUrl }, `${name}@demo.example`)
      await device.exchangeLoginToken({ loginToken, workspace: 'demo' })
      expect(await errorOf(device.startAgentSession())).toMatchObject({ reason: 'SESSION_LOCKED', data: { own: true } })
      clock.advance(1_000)
      await device.startAgentSession({ takeOver: true })
    }
    timers.advance(5 * minute)
    await waitFor(() => losses.length > 0 && lossesOfBeating.length > 0)
    expect([losses, lossesOfBeating]).toMatchObject([[{ reason: 'TAKEN_OVER' }], [{ reason: 'TAKEN_OVER' }]])
    expect(old.agentSession).toBeNull()
    expect(await stream.ended).toMatchObject({ reason: 'SESSION_TAKEN_OVER' })
    expect(await old.signOut()).toEqual({ released: false, providerSignedOut: false })
  })

  test('that a manager ended, or that had no heartbeat for too long, is reported', async () => {
    const client = await signedIn('agent1')
    const losses = lossesOf(client)
    const manager = await signedIn('manager')
    const agentId = client.agentSession?.agentId ?? ''
    await manager.mutate({ releaseAgentSession: { $: { agentId, reason: 'laptop crashed' }, released: true } })
    timers.advance(5 * minute)
    await waitFor(() => losses.length === 1)
    expect(losses).toMatchObject([{ reason: 'ENDED', error: { reason: 'TOKEN_REFUSED', data: { endedBy: 'MANAGER' } } }])
    await client.signIn(account('agent1'))
    timers.advance(61 * minute)
    await waitFor(() => losses.length === 2)
    expect(losses[1]).toMatchObject({ reason: 'EXPIRED' })
  })
})

describe('subscriptions', () => {
  test('go on after the connection was cut, with the current state first, and end with the signal', async () => {
    const client = await signedIn('agent1')
    const leaving = new AbortController()
    const states: string[] = []
    const events = collect(
      client.subscribe(
        { callEvents: { kind: true, call: { ucid: true } } },
        { signal: leaving.signal, onState: (state) => states.push(state) },
      ),
    )
    const ucid = await ringUntilSeen(events.items)
    relay.cut()
    await waitFor(() => states.at(-1) === 'INTERRUPTED')
    const seen = events.items.length
    await backOn(() => events.items.slice(seen).some(({ callEvents }) => callEvents.kind === 'SNAPSHOT' && callEvents.call.ucid === ucid))
    expect(states.slice(-2)).toEqual(['INTERRUPTED', 'OPEN'])
    leaving.abort()
    expect(await events.ended).toBeUndefined()
  })

  test('go on with a renewed token when theirs ends', async () => {
    const client = await signedIn('agent1')
    const states: string[] = []
    const onState = (state: string): void => void states.push(state)
    const events = collect(client.subscribe({ callEvents: { kind: true, call: { ucid: true } } }, { onState }))
    await ringUntilSeen(events.items)
    const before = renewals()
    clock.advance(31 * minute)
    await ringUntilSeen(events.items)
    expect(renewals() - before).toBe(1)
    expect(states).toEqual(['OPEN', 'OPEN'])
    await client.signOut()
    expect(await events.ended).toBeUndefined()
  })

  test('end with an error that no further try helps', async () => {
    const client = await signedIn('agent1')
    const refused = collect(client.subscribe({ supervisionUpdates: { at: true } }))
    expect(await refused.ended).toMatchObject({ code: 'FORBIDDEN', reason: 'ROLE_MISSING' })
    const invalid = collect(client.stream('subscription { callEvents { noSuchField } }'))
    expect(await invalid.ended).toMatchObject({ code: 'BAD_USER_INPUT' })
    const signedOut = collect(newClient().subscribe({ callEvents: { kind: true } }))
    expect(await signedOut.ended).toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  test('are tried again while the member has too many', async () => {
    let refusals = 2
    const openStream: OpenStream = (_sending, _signal, overHttp) => {
      refusals -= 1
      if (refusals < 0) return overHttp()
      throw new ServiceError({ code: 'RATE_LIMITED', reason: 'TOO_MANY_STREAMS', message: 'Too many', retryable: true })
    }
    const client = open.use(clientFor({ url: relay.url, timers, openStream }))
    await client.signIn(account('agent1'))
    const states: string[] = []
    const onState: StreamOptions['onState'] = (state, error) => states.push(error?.reason ?? state)
    const events = collect(client.subscribe({ callEvents: { kind: true, call: { ucid: true } } }, { onState }))
    await waitFor(() => states.length === 1)
    await backOn(() => states.at(-1) === 'OPEN')
    expect(states).toEqual(['TOO_MANY_STREAMS', 'OPEN'])
    await client.signOut()
    expect(await events.ended).toBeUndefined()
  })

  test('go on after the service has restarted', async () => {
    await using directory = await createTempDir()
    await using sandbox = await startSandbox({ dataDir: null })
    const environment = { ...sandbox.environmentOf('demo'), DATA_DIR: directory.path, PORT: '0' }
    const first = await startApp(environment)
    await using place = await openRelay(first.url)
    const client = open.use(clientFor({ url: place.url, timers }))
    await client.signIn(account('manager'))
    const interruptions: (ServiceError | null)[] = []
    const events = collect(client.subscribe({ supervisionUpdates: { at: true } }, { onState: (_, error) => interruptions.push(error) }))
    await waitFor(() => events.items.length > 0)
    await first[Symbol.asyncDispose]()
    await waitFor(() => interruptions.length > 1)
    expect(interruptions[1]).toMatchObject({ reason: 'STOPPING', retryable: true })
    await using second = await startApp(environment)
    place.pointTo(second.url)
    const seen = events.items.length
    await backOn(() => events.items.length > seen)
    await client.signOut()
    expect(await events.ended).toBeUndefined()
  })
})

/** Waits for the condition; streams that wait for their next try make it at once. */
async function backOn(condition: () => boolean): Promise<void> {
  await waitFor(() => {
    const [next = Number.POSITIVE_INFINITY] = timers.waiting().toSorted((a, b) => a - b)
    if (next > 0 && next <= 30_000) timers.advance(next)
    return condition()
  })
}

/** A call comes in; answers its id when the stream has brought it. */
async function ringUntilSeen(events: readonly { readonly callEvents: { readonly call: { readonly ucid: string } } }[]): Promise<string> {
  const seen = events.length
  const ucid = ring()
  await waitFor(() => events.slice(seen).some(({ callEvents }) => callEvents.call.ucid === ucid))
  return ucid
}

describe('REST', () => {
  test('path, query, headers and body go where they belong', async () => {
    const manager = await signedIn('manager')
    const agent = await signedIn('agent2')
    expect(await agent.rest('PUT /api/agents/me/state', { body: { state: 'READY' } })).toMatchObject({ state: 'READY' })
    expect(await manager.rest('GET /api/calls/missed', { query: { first: 1, waitingOnly: false } })).toEqual(expect.any(Array))
    const missing = manager.rest('POST /api/events/dead/{id}/replay', { path: { id: 'a-1' } })
    expect(await errorOf(missing)).toMatchObject({ code: 'NOT_FOUND', retryable: false })
  })

  test('a list is read page by page', async () => {
    const manager = await signedIn('manager')
    const operation = 'GET /api/doctors'
    const whole = await manager.restWithResponse(operation, { query: { first: 4 } })
    const first = await manager.restWithResponse(operation, { query: { first: 2 } })
    const second = await manager.restWithResponse(operation, { query: { first: 2, after: first.nextAfter ?? '' } })
    expect(first.response.headers.get('link')).toMatch(/; rel="next"$/)
    expect([...first.answer.slots, ...second.answer.slots]).toEqual(whole.answer.slots)
    expect(whole.answer.slots).toHaveLength(4)
    const { headers } = await fetch(`${app.url}/auth/me`, { headers: { origin: 'http://127.0.0.1:1' } })
    expect(headers.get('access-control-expose-headers'), 'pages of other origins').toMatch(/\blink, location$/)
    const last = await manager.restWithResponse(operation, { query: { search: 'nobody at all' } })
    expect(last).toMatchObject({ answer: { slots: [] }, nextAfter: null, response: { status: 200 } })
  })

  test('a recording comes as a stream, whole or in part', async () => {
    const manager = await signedIn('manager')
    const [call] = await recordedCalls(app, (await manager.accessToken()) ?? '')
    const audio = 'GET /api/recordings/{callId}/audio'
    const whole = await manager.rest(audio, { path: { callId: call?.id ?? '' } })
    expect(whole.headers.get('content-type')).toMatch(/^audio\//)
    const bytes = (await whole.arrayBuffer()).byteLength
    expect(bytes).toBeGreaterThan(1_000)
    const part = await manager.rest(audio, { path: { callId: call?.id ?? '' }, headers: { Range: 'bytes=0-99' } })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100])
    expect(await errorOf(manager.rest(audio, { path: { callId: '00000000-0000-4000-8000-000000000000' } }))).toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('an answer that does not come in time, or that nobody waits for any more, is an error', async () => {
    const client = await signedIn('manager')
    const leaving = new AbortController()
    leaving.abort()
    expect(await errorOf(client.query(role, { signal: leaving.signal }))).toMatchObject({ name: 'AbortError' })
    app.standIns.platform.fault({ operation: 'leads', times: 1, act: 'hang' })
    const late = errorOf(client.execute('{ leads(first: 1) { totalCount } }', {}, { timeoutMs: 5_000 }))
    await waitFor(() => timers.waiting().includes(5_000))
    timers.advance(5_000)
    expect(await late).toMatchObject({ code: 'TIMEOUT', retryable: true })
    relay.pointTo('http://127.0.0.1:1')
    relay.cut()
    expect(await errorOf(client.query(role))).toMatchObject({ code: 'NO_ANSWER', retryable: true })
    relay.pointTo(app.url)
  })
})

const chromium = await realServer('chromium')

test.skipIf(chromium === null)('in a browser, on a page of another origin', async () => {
  await using browser = await startBrowser(chromium?.binary ?? '')
  await using site = await startProgramPage(await bundled('tests/clients/client-program.ts'))
  const { page, faults } = await browser.open()
  const run = (step: keyof typeof program, given: object = {}): Promise<unknown> =>
    page.evaluate(`program.${step}(${JSON.stringify({ url: relay.url, ...given })})`)
  await page.goto(site.url)
  expect(await run('signIn', account('agent1'))).toEqual({ role: 'AGENT', isLocked: true })
  expect(await run('ask')).toMatchObject({ role: 'AGENT', email: 'agent1@demo.example', own: { leads: { edges: [{}] } } })
  expect(await run('dialNobody')).toEqual({ code: 'BAD_USER_INPUT', path: 'input.phoneNumber' })
  await run('follow')
  const followed = async () => followedSchema.parse(await run('followed'))
  const ucid = ring()
  await waitFor(async () => (await followed()).events.includes(ucid))

  // The stream is opened again by itself, with the current state first.
  const seen = (await followed()).events.length
  relay.cut()
  await waitFor(async () => (await followed()).events.slice(seen).includes(ucid))
  expect((await followed()).states).toEqual(expect.arrayContaining(['OPEN', 'INTERRUPTED', 'OPEN']))

  // The tokens end by the clock of the service; that of the browser is another one.
  const before = renewals()
  clock.advance(31 * minute)
  expect(await run('ask')).toMatchObject({ role: 'AGENT' })
  expect(renewals() - before).toBe(1)
  const later = ring()
  await waitFor(async () => (await followed()).events.includes(later))

  await page.reload()
  expect(await run('resume')).toEqual({ role: 'AGENT', isLocked: true })
  expect(await run('signOut')).toEqual({ released: true, stored: 0 })
  expect(await run('signIn', account('manager'))).toEqual({ role: 'MANAGER', isLocked: false })
  using manager = clientFor({ url: app.url })
  await manager.signIn(account('manager'))
  const [call] = await recordedCalls(app, (await manager.accessToken()) ?? '')
  expect(await run('listen', { callId: call?.id })).toMatchObject({ type: 'audio/wav' })
  // The browser itself reports the connection that was cut, and the token that was refused.
  expect(faults.filter((fault) => !/net::ERR_|status of 401/.test(fault))).toEqual([])
})

const followedSchema = z.object({ events: z.array(z.string()), states: z.array(z.string()) })

// The last one: live events have to be subscribed again after so long a time.
test('tokens that cannot be renewed any more are forgotten, and the loss is reported', async () => {
  const store = pageStorage()
  const client = await signedIn('manager', store)
  const losses = lossesOf(client)
  clock.advance(61 * 24 * 60 * minute)
  const failed = await Promise.all([errorOf(client.query(role)), errorOf(client.query(role))])
  expect(failed).toMatchObject([{ reason: 'TOKEN_REFUSED' }, { reason: 'TOKEN_REFUSED' }])
  expect(losses).toMatchObject([{ reason: 'EXPIRED', error: { code: 'UNAUTHENTICATED' } }])
  expect(await store.read()).toBeNull()
})
