import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isWizardRequired } from '../../src/features/setup/detected-setup.ts'
import { setupSteps } from '../../src/features/setup/setup-state.ts'
import { type TestApp, type TestSignIn, createTestApp } from '../harness/app.ts'

let app: TestApp
let manager: TestSignIn
let stranger: TestSignIn
let user: TestSignIn

beforeAll(async () => {
  app = await createTestApp({ receivesWebhooks: true })
  ;[manager, stranger, user] = await Promise.all([
    app.signIn('manager@demo.example'),
    app.signIn('manager@acme.example'),
    app.signIn('user@demo.example'),
  ])
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  for (const { token } of [manager, stranger]) await app.rest('POST', '/api/config/setup-state/reset', { token })
})

const stepSchema = z.object({
  step: z.enum(setupSteps),
  complete: z.boolean(),
  completedAt: z.iso.datetime().nullable(),
  completedBy: z.string().nullable(),
  detected: z.boolean().nullable(),
  found: z.string(),
})
const stateSchema = z.object({ steps: z.array(stepSchema), dismissed: z.boolean(), wizardRequired: z.boolean() })
type State = z.output<typeof stateSchema>

const selection = '{ steps { step complete completedAt completedBy detected found } dismissed wizardRequired }'

type Sent = { readonly body?: unknown; readonly token?: string }

async function rest(method: string, path = '', { body, token = manager.token }: Sent = {}): Promise<State> {
  const answer = await app.rest(method, `/api/config/setup-state${path}`, { token, body })
  expect(answer).toMatchObject({ status: 200 })
  return stateSchema.parse(answer.body)
}

function stepOf({ steps }: State, step: string) {
  return steps.find((one) => one.step === step)
}

async function change(mutation: string): Promise<State> {
  const { data, errors } = await app.graphql(`mutation { ${mutation} ${selection} }`, { token: manager.token })
  expect(errors).toBeUndefined()
  return stateSchema.parse(Object.values(data ?? {})[0])
}

describe('the state', () => {
  test('starts with six open steps and is the same by REST and GraphQL', async () => {
    const state = await rest('GET')
    expect(state.steps.map(({ step, complete, completedAt, completedBy }) => [step, complete, completedAt, completedBy])).toEqual(
      ['PLATFORM', 'BRAND', 'TEAM', 'TELEPHONY', 'AI', 'WIDGET'].map((step) => [step, false, null, null]),
    )
    expect(state).toMatchObject({ dismissed: false, wizardRequired: true })
    const { data } = await app.graphql(`{ setupState ${selection} }`, { token: manager.token })
    expect(data).toEqual({ setupState: state })
  })

  test('is for managers', async () => {
    const requests = [
      ['GET', ''],
      ['PUT', '/steps/BRAND'],
      ['POST', '/dismiss'],
      ['POST', '/reset'],
    ] as const
    for (const [method, path] of requests) {
      const body = method === 'PUT' ? { complete: true } : undefined
      const answers = [user.token, undefined].map((token) => app.rest(method, `/api/config/setup-state${path}`, { token, body }))
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([403, 401])
    }
  })
})

describe('steps', () => {
  test('record who completed them and when, and can be reopened, by REST', async () => {
    const done = await rest('PUT', '/steps/brand', { body: { complete: true } })
    expect(stepOf(done, 'BRAND')).toMatchObject({ complete: true, completedBy: manager.memberId })
    expect(Date.parse(stepOf(done, 'BRAND')?.completedAt ?? '')).toBeGreaterThan(0)
    expect(done.steps.filter(({ complete }) => complete)).toHaveLength(1)
    expect(await rest('GET')).toEqual(done)
    const open = await rest('PUT', '/steps/BRAND', { body: { complete: false } })
    expect(stepOf(open, 'BRAND')).toMatchObject({ complete: false, completedAt: null, completedBy: null })
  })

  test('can be completed and reopened by GraphQL, with both mutations', async () => {
    expect(stepOf(await change('setupState(change: { complete: TEAM })'), 'TEAM')).toMatchObject({ complete: true })
    expect(stepOf(await change('setupState(change: { reopen: TEAM })'), 'TEAM')).toMatchObject({ complete: false })
    expect(stepOf(await change('setupStep(step: AI, complete: true)'), 'AI')).toMatchObject({ complete: true })
    expect(stepOf(await change('setupStep(step: AI, complete: false)'), 'AI')).toMatchObject({ complete: false })
  })

  test('that are completed at the same time are all complete', async () => {
    await Promise.all(setupSteps.map((step) => rest('PUT', `/steps/${step}`, { body: { complete: true } })))
    expect((await rest('GET')).wizardRequired).toBe(false)
  })

  test('the wizard is required until all are complete or it is dismissed; a reset requires it again', async () => {
    for (const step of setupSteps.slice(1))
      expect((await rest('PUT', `/steps/${step}`, { body: { complete: true } })).wizardRequired).toBe(true)
    expect((await rest('PUT', '/steps/PLATFORM', { body: { complete: true } })).wizardRequired).toBe(false)
    expect(await rest('POST', '/reset')).toMatchObject({ dismissed: false, wizardRequired: true })
    expect(await rest('POST', '/dismiss')).toMatchObject({ dismissed: true, wizardRequired: false })
    expect(await change('setupState(change: { reset: true })')).toMatchObject({ dismissed: false, wizardRequired: true })
    expect(await change('setupState(change: { dismiss: true })')).toMatchObject({ dismissed: true, wizardRequired: false })
  })

  test('a step that the service finds done needs no mark, also in the answer to a sign-in', async () => {
    const credentials = { email: 'manager@demo.example', password: 'sandbox-password', workspace: 'demo' }
    const required = async () => {
      const { body } = await app.rest('POST', '/auth/login', { body: credentials })
      const { data } = await app.graphql('{ setupState { wizardRequired } }', { token: manager.token })
      return [z.object({ setup: z.unknown() }).parse(body).setup, data?.['setupState']]
    }
    for (const step of setupSteps.filter((one) => one !== 'BRAND')) await rest('PUT', `/steps/${step}`, { body: { complete: true } })
    expect(await required()).toEqual([{ wizardRequired: true }, { wizardRequired: true }])
    const theme = (hospitalName: string | null) =>
      app.rest('PUT', '/api/config/theme', { token: manager.token, body: { brand: { hospitalName } } })
    expect(await theme('City Clinic')).toMatchObject({ status: 200 })
    expect(await required()).toEqual([{ wizardRequired: false }, { wizardRequired: false }])
    expect(await theme(null)).toMatchObject({ status: 200 })
    await rest('POST', '/reset')
  })

  test('the sign-in of a manager returns whether the wizard is required', async () => {
    const credentials = { email: 'manager@demo.example', password: 'sandbox-password', workspace: 'demo' }
    const signIn = async () => (await app.rest('POST', '/auth/login', { body: credentials })).body
    expect(await signIn()).toMatchObject({ setup: { wizardRequired: true } })
    await rest('POST', '/dismiss')
    expect(await signIn()).toMatchObject({ setup: { wizardRequired: false } })
  })

  test('a step that cannot be checked does not require the wizard', async () => {
    const unknown = async () => ({ complete: null, found: 'The platform is not available' })
    const steps = setupSteps.map((step) => ({ step, complete: false, completedAt: null, completedBy: null, detect: unknown }))
    expect(await isWizardRequired({ dismissed: false, steps })).toBe(false)
  })

  test('each change is in the audit log', async () => {
    await rest('PUT', '/steps/WIDGET', { body: { complete: true } })
    await rest('POST', '/dismiss')
    const { body } = await app.rest('GET', '/api/audit', { token: manager.token })
    const entries = z.looseObject({ entries: z.array(z.looseObject({ action: z.string(), targetId: z.string().nullable() })) }).parse(body)
    expect(entries.entries.slice(0, 2).map(({ action, targetId }) => [action, targetId])).toEqual([
      ['setup.dismissed', null],
      ['setup.completed', 'WIDGET'],
    ])
  })

  test('of one workspace do not affect another', async () => {
    const theirs = await rest('GET', '', { token: stranger.token })
    for (const step of setupSteps) await rest('PUT', `/steps/${step}`, { body: { complete: true } })
    await rest('POST', '/dismiss')
    expect(await rest('GET', '', { token: stranger.token })).toEqual(theirs)
    await rest('POST', '/reset', { token: stranger.token })
    expect((await rest('GET')).steps.every(({ complete }) => complete)).toBe(true)
  })
})

describe('detection', () => {
  test('detects the name of the theme, the members, the widget', async () => {
    expect(stepOf(await rest('GET'), 'BRAND')).toMatchObject({ detected: false, found: 'The theme has no hospital name' })
    await app.rest('PUT', '/api/config/theme', { token: manager.token, body: { brand: { hospitalName: 'Lakeside' } } })
    await app.rest('PUT', '/api/config/widget', { token: manager.token, body: { enabled: true } })
    const state = await rest('GET')
    expect(stepOf(state, 'BRAND')).toMatchObject({ detected: true, found: 'Lakeside' })
    expect(stepOf(state, 'WIDGET')).toMatchObject({ detected: true })
    expect(stepOf(state, 'TEAM')).toMatchObject({ detected: true, found: '6 members' })
  })

  test.each([
    ['TELEPHONY', 'telephony', { campaignName: 'Other' }],
    ['AI', 'ai', { temperature: 0.9 }],
    ['PLATFORM', 'platform', { roles: { user: 'User ' } }],
  ])('%s: detects that the test passed, until the section changes', async (...[step, section, other]) => {
    await app.rest('POST', `/api/config/${section}/reset`, { token: manager.token })
    await app.rest('PUT', `/api/config/${section}`, { token: manager.token, body: section === 'platform' ? {} : other })
    expect(stepOf(await rest('GET'), step)?.detected).toBe(false)
    await app.rest('POST', `/api/config/${section}/test`, { token: manager.token })
    expect(stepOf(await rest('GET'), step)).toMatchObject({ detected: true })
    await app.rest('POST', `/api/config/${section}/reset`, { token: manager.token })
    expect(stepOf(await rest('GET'), step)?.detected).toBe(section === 'platform')
  })

  test('reports a step that cannot be detected at the moment, and detects the others', async () => {
    app.standIns.platform.fault({ operation: 'workspaceMembers', act: 'refuse', status: 503 })
    const state = await rest('GET')
    app.standIns.platform.clearFaults()
    expect(stepOf(state, 'TEAM')).toMatchObject({ detected: null })
    expect(stepOf(state, 'BRAND')?.detected).not.toBeNull()
  })
})

test.each([
  ['PUT', '/steps/NOTHING', { complete: true }, ['step']],
  ['PUT', '/steps/BRAND', {}, ['complete']],
  ['PUT', '/steps/BRAND', { complete: 'yes' }, ['complete']],
  ['PUT', '/steps/BRAND', { complete: true, more: 1 }, ['more']],
  ['POST', '/dismiss', { reason: 'x' }, ['reason']],
])('%s %s with %j is refused, and the field is named', async (...[method, path, body, fields]) => {
  const answer = await app.rest(method, `/api/config/setup-state${path}`, { token: manager.token, body })
  expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_USER_INPUT', data: { fields: fields.map((name) => ({ path: name })) } } })
})

test.each(['{}', '{ complete: TEAM, dismiss: true }', '{ dismiss: false }', '{ reset: false }', '{ complete: NOTHING }'])(
  'the change %s is refused',
  async (input) => {
    const { errors } = await app.graphql(`mutation { setupState(change: ${input}) ${selection} }`, { token: manager.token })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' })
  },
)
