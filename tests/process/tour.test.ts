import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { alertRules, dashboardQueries, metricsIn } from '../harness/dashboard.ts'
import { freePort } from '../harness/free-port.ts'
import { personalData, readSamples, unboundedLabels } from '../harness/metrics-text.ts'
import { realServer } from '../harness/real-server.ts'

type Run = { readonly code: number | null; readonly out: string; readonly err: string }

/** The tour as a person runs it, in a process of its own; with `until` it is interrupted as soon as it has said that. */
async function runTour(
  parameters: readonly string[],
  { environment = {}, until }: { environment?: Record<string, string>; until?: string } = {},
): Promise<Run> {
  const { FORCE_COLOR: _forced, TOUR_PASSWORD: _password, ...inherited } = process.env
  const child = spawn(process.execPath, ['src/commands/tour.ts', ...parameters], { env: { ...inherited, ...environment } })
  const closed = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const err = text(child.stderr)
  let out = ''
  for await (const chunk of child.stdout) {
    const wasPrinted = until === undefined || out.includes(until)
    out += String(chunk)
    if (!wasPrinted && until !== undefined && out.includes(until)) child.kill('SIGINT')
  }
  return { code: await closed, out, err: await err }
}

const marks = (out: string): string[] => [...out.matchAll(/^ ?\d+ {2}(.) /gm)].map(([, mark = '']) => mark)

describe('against a running service', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ receivesWebhooks: true })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const isFree = async (email: string): Promise<boolean> => {
    const { status, body } = await app.rest('POST', '/auth/login', { body: { email, password: sandboxPassword, workspace: 'demo' } })
    if (status !== 200) return false
    const { token } = readToken(body)
    await app.rest('POST', '/auth/logout', { token })
    return true
  }

  test('it plays the whole day', async () => {
    const first = await runTour([app.url])
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(marks(first.out)).toEqual(Array.from({ length: 28 }, () => '✓'))
    expect(first.out).toContain('Asha Menon (agent1@demo.example) is AGENT in demo')
    expect(first.out).toContain('409 CONFLICT: Agent is already signed in from 127.0.0.1')
    expect(first.out).toMatch(
      /Doctors and their free times[\s\S]*?4 doctors, \d+ of their 36 next slots free[\s\S]*next free .*\(Asia\/Kolkata\)/,
    )
    expect(first.out).toMatch(/The lead carries an AI summary.*\n {6}[A-Z][^"{}]+\.\n/)
    expect(first.out).toMatch(/on screen +RINGING, /)
    expect(first.out).toMatch(/was reached through ozonetel at [\d:]+; the missed call waits no more/)
    expect(first.out).toMatch(/A manager sees the day[\s\S]*today \d+ calls, [1-9]\d* answered and [1-9]\d* missed/)
    expect(first.out).toMatch(/A recorded call is understood[\s\S]*AGENT \d+ %, CUSTOMER \d+ %/)
    expect(first.out).toContain((await realServer('espeak')) ? 'two voices of espeak-ng' : 'there is no espeak-ng on its PATH')
    expect(first.out).toContain('401 TOKEN_REFUSED')
    expect(first.out).toMatch(/tour-\w+@demo\.example is AGENT with the temporary password/)
    expect(first.out).toMatch(/is removed, and the session was ended with it/)
    expect(first.out).toMatch(/the key sunrise-hospital_\w{24} counts on pages of\s+https:\/\/www\.hospital\.example/)
    expect(first.out).toMatch(/4 doctors and \d+ free times \(Asia\/Kolkata\); a page of another site gets 403 ORIGIN_REFUSED/)
    expect(first.out).toMatch(/BOOKED: \d{4}-\d\d-\d\d \d\d:\d\d with Dr\. /)
    expect(app.standIns.platform.records('demo', 'lead', { name: { eq: 'Vikram Visitor' } })).toEqual([])
    expect(first.out).toMatch(/All 28 steps went well, in \d+\.\d s\.\n$/)
    expect(first.out).not.toContain('\u001B')
    expect(await isFree('agent1@demo.example')).toBe(true)
  })

  test('after it, /metrics has all that the dashboard, the alert rules and the documentation name, and nothing personal', async () => {
    const scraped = await (await fetch(`${app.url}/metrics`)).text()
    const names = new Set([...scraped.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name))
    const queries = [...dashboardQueries().map(({ expr }) => expr), ...alertRules().map(({ expr }) => expr)]
    const asked = [...new Set(queries.flatMap(metricsIn))]
    expect(asked.length).toBeGreaterThan(30)
    expect(asked.filter((name) => !names.has(name) && !names.has(name.replace(/_(?:bucket|count|sum)$/, '')))).toEqual([])
    const documented = readFileSync('docs/operations.md', 'utf8').replaceAll('`..._', '`sidecar_call_reconciliation_')
    const own = [...names].filter((name) => !/^(?:process|nodejs)_/.test(name))
    expect(own.filter((name) => !documented.includes(`\`${name}\``))).toEqual([])
    expect(personalData(scraped)).toEqual([])
    expect(unboundedLabels(scraped)).toEqual([])
    expect(readSamples(scraped).length).toBeLessThan(5_000)
  })

  test('it can be repeated, beside the session of another agent, with calls of its own', async () => {
    const held = await app.signIn('agent1@demo.example')
    const again = await runTour([app.url])
    expect([again.code, marks(again.out).length]).toEqual([0, 28])
    expect(again.out).toContain('(agent2@demo.example)')
    const ucid = /for call (\d+): SAVED/.exec(again.out)?.[1] ?? ''
    expect(app.standIns.telephony.call({ ucid })).toMatchObject({ agentId: 'agent2', disposition: 'Call Back Later' })
    await app.rest('POST', '/auth/logout', { token: held.token })
  })

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
    expect(await isFree('agent1@demo.example')).toBe(true)
  })

  test('an interrupted tour signs out', async () => {
    const { code, out } = await runTour([app.url], { until: 'A second sign-in is refused' })
    expect(code).toBe(1)
    expect(out).toContain('agent1@demo.example was signed out again.')
    expect(await isFree('agent1@demo.example')).toBe(true)
  })

  test('a tour whose output is closed signs out', async () => {
    const child = spawn(process.execPath, ['src/commands/tour.ts', app.url])
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
    for await (const chunk of child.stdout) if (String(chunk).includes('An agent signs in')) break
    expect(await closed).toBe(1)
    expect(await isFree('agent1@demo.example')).toBe(true)
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

function readToken(body: unknown): { token: string } {
  const token = /"accessToken":\{"token":"([^"]+)"/.exec(JSON.stringify(body))?.[1]
  if (token === undefined) throw new Error('no access token')
  return { token }
}
