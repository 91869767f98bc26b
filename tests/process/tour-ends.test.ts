import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { freePort } from '../harness/free-port.ts'
import { isFree, marks, runTour } from '../harness/tour.ts'

/** What a tour ends, and what ends or shortens it: taken sessions, a failed step, an interruption, a real installation, wrong parameters. */

describe('against a running service', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ receivesWebhooks: true })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test('if all agents are signed in, it ends the oldest session', async () => {
    await app.signIn('agent1@demo.example')
    const held = [await app.signIn('agent2@demo.example'), await app.signIn('agent3@demo.example')]
    const run = await runTour([app.url], { until: 'Who am I?' })
    expect(run.out).toContain('the manager ended the oldest session, that of agent1@demo.example')
    for (const { token } of held) expect((await app.rest('POST', '/auth/heartbeat', { token, body: {} })).status).toBe(200)
    for (const { token } of held) await app.rest('POST', '/auth/logout', { token })
  })

  test('a failed step ends it with the reason, and the session is ended anyway', async () => {
    app.standIns.telephony.fault({ operation: 'DispositionAPIV2', act: 'refuse', status: 500 })
    const { code, out } = await runTour([app.url])
    app.standIns.telephony.clearFaults()
    expect(code).toBe(1)
    expect(marks(out).at(-1)).toBe('✗')
    expect(out).toMatch(/✗ The agent disposes of the call\n {6}POST \/api\/calls\/\d+\/disposition\s+answered 50\d UPSTREAM_/)
    expect(out).toContain('agent1@demo.example was signed out again.')
    expect(out).toContain('The tour stopped after 12 steps.')
    expect(await isFree(app, 'agent1@demo.example')).toBe(true)
  })

  test('an interrupted tour signs out', async () => {
    const { code, out } = await runTour([app.url], { until: 'A second sign-in is refused' })
    expect(code).toBe(1)
    expect(out).toContain('agent1@demo.example was signed out again.')
    expect(await isFree(app, 'agent1@demo.example')).toBe(true)
  })

  test('a tour whose output is closed signs out', async () => {
    const child = spawn(process.execPath, ['src/commands/tour.ts', app.url])
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
    for await (const chunk of child.stdout) if (String(chunk).includes('An agent signs in')) break
    expect(await closed).toBe(1)
    expect(await isFree(app, 'agent1@demo.example')).toBe(true)
  })

  test('for a member of a real installation it changes no record', async () => {
    app.standIns.telephony.forgetCalls()
    const run = await runTour([app.url, '--email', 'agent2@demo.example', '--workspace', 'demo'], {
      environment: { TOUR_PASSWORD: sandboxPassword },
    })
    expect(run.code).toBe(0)
    expect(marks(run.out).join('')).toBe('✓✓✓✓✓✓✓✓-✓✓')
    expect(run.out).toContain('left out: they would change real records')
    expect(app.standIns.telephony.calls('Disposition')).toEqual([])
  })

  test('a member without an agent record has no session to hold', async () => {
    const run = await runTour([app.url, '--email', 'user@demo.example', '--workspace', 'demo', '--password', sandboxPassword])
    expect(run.code).toBe(0)
    expect(run.out).toContain('left out: this member has no agent record')
  })

  test('a wrong password is reported', async () => {
    const run = await runTour([app.url, '--email', 'agent1@demo.example', '--workspace', 'demo', '--password', 'wrong'])
    expect(run.code).toBe(1)
    expect(run.out).toContain('POST /auth/login answered 401 UNAUTHENTICATED: E-mail or password is wrong')
  })
})

test('if nothing answers, it says how to start the service', async () => {
  const address = `http://127.0.0.1:${await freePort()}`
  const run = await runTour([address])
  expect(run.code).toBe(1)
  expect(run.out.replaceAll(/\s+/g, ' ')).toContain(`nothing answers at ${address}`)
  expect(run.out).toContain('npm start')
})

test("without an address it uses the address of this environment's service", async () => {
  const port = await freePort()
  const run = await runTour([], { environment: { PORT: String(port) } })
  expect(run.out.replaceAll(/\s+/g, ' ')).toContain(`nothing answers at http://127.0.0.1:${port}`)
})

test.each([
  [['here'], '"here" is not the address of a service; it must be like http://127.0.0.1:4100'],
  [['http://a.example', 'http://b.example'], 'one address is enough'],
  [['--email', 'a@b.example'], '--email needs --password'],
  [['--workspace', 'demo'], 'go with --email'],
  [['--colour'], "Unknown option '--colour'"],
])('refuses the arguments %j', async (parameters, message) => {
  const run = await runTour(parameters)
  expect(run).toMatchObject({ code: 2, out: '' })
  expect(run.err).toContain(message)
  expect(run.err).toContain('npm run tour -- [address]')
  expect(run.err).not.toContain('positional')
})
