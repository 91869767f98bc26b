import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxPassword } from '../src/sandbox/platform/seed.ts'
import { createTestApp, type TestApp } from './harness/app.ts'
import { freePort } from './harness/free-port.ts'

type Run = { readonly code: number | null; readonly out: string; readonly err: string }

/** The tour as a person runs it, in a process of its own. */
async function runTour(parameters: readonly string[], environment: Record<string, string> = {}): Promise<Run> {
  const { FORCE_COLOR: _forced, TOUR_PASSWORD: _password, ...inherited } = process.env
  const child = spawn(process.execPath, ['src/commands/tour.ts', ...parameters], { env: { ...inherited, ...environment } })
  const closed = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, out, err }
}

const marks = (out: string): string[] => [...out.matchAll(/^ ?\d+ {2}(.) /gm)].map(([, mark = '']) => mark)

describe('against a running service', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const isFree = async (email: string): Promise<boolean> => {
    const { status, body } = await app.rest('POST', '/auth/login', { body: { email, password: sandboxPassword, workspace: 'demo' } })
    if (status !== 200) return false
    const { token } = readToken(body)
    await app.rest('POST', '/auth/logout', { token })
    return true
  }

  test('it plays the whole day, and can be played again', async () => {
    const first = await runTour([app.url])
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(marks(first.out)).toEqual(Array.from({ length: 13 }, () => '✓'))
    expect(first.out).toContain('Asha Menon (agent1@demo.example) is AGENT in demo')
    expect(first.out).toContain('409 CONFLICT: Agent is already signed in from 127.0.0.1')
    expect(first.out).toMatch(/The lead carries an AI summary.*\n {6}[A-Z][^"{}]+\.\n/)
    expect(first.out).toMatch(/A recorded call is understood[\s\S]*AGENT \d+ %, CUSTOMER \d+ %/)
    expect(first.out).toContain('404 SESSION_GONE')
    expect(first.out).toMatch(/All 13 steps went well, in \d+\.\d s\.\n$/)
    expect(first.out).not.toContain('\u001B')
    const again = await runTour([app.url])
    expect([again.code, marks(again.out).length]).toEqual([0, 13])
    expect(await isFree('agent1@demo.example')).toBe(true)
  })

  test('the call that it disposes of is a call of that run', async () => {
    const ucids = await Promise.all([runTour([app.url]), runTour([app.url])]).then((runs) =>
      runs.map(({ out }) => /for call (\d+): SAVED/.exec(out)?.[1]),
    )
    expect(new Set(ucids).size).toBe(2)
    for (const ucid of ucids) expect(app.standIns.telephony.call({ ucid: ucid ?? '' })).toMatchObject({ disposition: 'Call Back Later' })
  })

  test('it respects a session that somebody holds, and ends the oldest where all are held', async () => {
    await app.signIn('agent1@demo.example')
    const second = await runTour([app.url])
    expect(second.code).toBe(0)
    expect(second.out).toContain('(agent2@demo.example)')
    const held = [await app.signIn('agent2@demo.example'), await app.signIn('agent3@demo.example')]
    const third = await runTour([app.url])
    expect(third.code).toBe(0)
    expect(third.out).toContain('the manager ended the oldest session, that of agent1@demo.example')
    for (const { token } of held) expect((await app.rest('POST', '/auth/heartbeat', { token, body: {} })).status).toBe(200)
    for (const { token } of held) await app.rest('POST', '/auth/logout', { token })
  })

  test('a step that fails ends it with the reason, and the session is ended all the same', async () => {
    app.standIns.telephony.fault({ operation: 'DispositionAPIV2', act: 'refuse', status: 500 })
    const { code, out } = await runTour([app.url])
    app.standIns.telephony.clearFaults()
    expect(code).toBe(1)
    expect(marks(out).at(-1)).toBe('✗')
    expect(out).toMatch(/✗ The agent disposes of the call\n {6}POST \/api\/calls\/\d+\/disposition\s+answered 50\d UPSTREAM_/)
    expect(out).toContain('agent1@demo.example was signed out again.')
    expect(out).toContain('The tour stopped after 8 steps.')
    expect(await isFree('agent1@demo.example')).toBe(true)
  })

  test('an interrupted tour signs out', async () => {
    app.standIns.models.fault({ delayMs: 3_000 })
    const child = spawn(process.execPath, ['src/commands/tour.ts', app.url])
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
    let out = ''
    for await (const chunk of child.stdout) {
      const before = out
      out += String(chunk)
      if (!before.includes('The agent disposes of the call') && out.includes('The agent disposes of the call')) child.kill('SIGINT')
    }
    app.standIns.models.clearFaults()
    expect(await closed).toBe(1)
    expect(out).toContain('was signed out again.')
    expect(await isFree('agent1@demo.example')).toBe(true)
  })

  test('a tour whose reader leaves signs out', async () => {
    const child = spawn(process.execPath, ['src/commands/tour.ts', app.url])
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
    for await (const chunk of child.stdout) if (String(chunk).includes('An agent signs in')) break
    expect(await closed).toBe(1)
    expect(await isFree('agent1@demo.example')).toBe(true)
  })

  test('for a member of a real installation it changes no record', async () => {
    app.standIns.telephony.forgetCalls()
    const run = await runTour([app.url, '--email', 'agent2@demo.example', '--workspace', 'demo'], { TOUR_PASSWORD: sandboxPassword })
    expect(run.code).toBe(0)
    expect(marks(run.out).join('')).toBe('✓✓✓✓✓✓✓-✓✓')
    expect(run.out).toContain('left out: they would change real records')
    expect(app.standIns.telephony.calls('Disposition')).toEqual([])
  })

  test('a member without an agent record has no session to hold', async () => {
    const run = await runTour([app.url, '--email', 'user@demo.example', '--workspace', 'demo', '--password', sandboxPassword])
    expect(run.code).toBe(0)
    expect(run.out).toContain('left out: this member has no agent record')
  })

  test('a wrong password is said as it is', async () => {
    const run = await runTour([app.url, '--email', 'agent1@demo.example', '--workspace', 'demo', '--password', 'wrong'])
    expect(run.code).toBe(1)
    expect(run.out).toContain('POST /auth/login answered 401 UNAUTHENTICATED: E-mail or password is wrong')
  })
})

test('where nothing answers it says how to start the service', async () => {
  const address = `http://127.0.0.1:${await freePort()}`
  const run = await runTour([address])
  expect(run.code).toBe(1)
  expect(run.out.replaceAll(/\s+/g, ' ')).toContain(`nothing answers at ${address}`)
  expect(run.out).toContain('npm start')
})

test.each([
  [['here'], 'here is no http(s) address'],
  [['http://a.example', 'http://b.example'], 'one address is enough'],
  [['--email', 'a@b.example'], '--email needs --password'],
  [['--workspace', 'demo'], 'go with --email'],
  [['--colour'], "Unknown option '--colour'"],
])('%j is a wrong call of the command', async (parameters, fault) => {
  const run = await runTour(parameters)
  expect(run).toMatchObject({ code: 2, out: '' })
  expect(run.err).toContain(fault)
  expect(run.err).toContain('npm run tour -- [address]')
})

function readToken(body: unknown): { token: string } {
  const token = /"accessToken":\{"token":"([^"]+)"/.exec(JSON.stringify(body))?.[1]
  if (token === undefined) throw new Error('no access token')
  return { token }
}
