import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { alertRules, dashboardQueries, metricsIn } from '../harness/dashboard.ts'
import { personalData, readSamples, unboundedLabels } from '../harness/metrics-text.ts'
import { realServer } from '../harness/real-server.ts'
import { isFree, marks, runTour } from '../harness/tour.ts'

describe('against a running service', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ receivesWebhooks: true })
  })
  afterAll(() => app[Symbol.asyncDispose]())

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
    expect(await isFree(app, 'agent1@demo.example')).toBe(true)
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

  test('it can be repeated on a day of many calls, beside the session of another agent, with calls of its own', async () => {
    const held = await app.signIn('agent1@demo.example')
    const { token } = await app.signIn('manager@demo.example')
    for (const name of ['First', 'Second', 'Third']) {
      const data = Array.from({ length: 60 }, (_, index) => ({ name: `${name} ${index}`, direction: 'INBOUND' }))
      const made = await app.graphql('mutation ($data: [CallCreateInput!]!) { createCalls(data: $data) { id } }', {
        token,
        variables: { data },
      })
      expect(made.errors).toBeUndefined()
    }
    const again = await runTour([app.url])
    expect([again.code, marks(again.out).length]).toEqual([0, 28])
    expect(again.out).toContain('(agent2@demo.example)')
    const ucid = /for call (\d+): SAVED/.exec(again.out)?.[1] ?? ''
    expect(app.standIns.telephony.call({ ucid })).toMatchObject({ agentId: 'agent2', disposition: 'Call Back Later' })
    await app.rest('POST', '/auth/logout', { token: held.token })
  })
})
