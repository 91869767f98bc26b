import { readFile, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sectionNames } from '../../src/ports/configuration/configuration.ts'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { type TestApp, type TestSignIn, createTestApp } from '../harness/app.ts'
import { ownPublicUrl } from '../harness/connect-telephony.ts'
import { waitFor } from '../harness/wait-for.ts'

const mask = '***masked***'
const anyText: unknown = expect.any(String)
const containing = (text: string): unknown => expect.stringContaining(text)
const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern)
const withChecks = (...checks: object[]): unknown => expect.arrayContaining(checks.map((check): unknown => expect.objectContaining(check)))
const documentSchema = z.looseObject({ _meta: z.looseObject({ version: z.int() }) })
type Document = z.output<typeof documentSchema>

let app: TestApp
let manager: TestSignIn
let stranger: TestSignIn
let user: TestSignIn

beforeAll(async () => {
  app = await createTestApp({ environment: ownPublicUrl })
  ;[manager, stranger, user] = await Promise.all([
    app.signIn('manager@demo.example'),
    app.signIn('manager@acme.example'),
    app.signIn('user@demo.example'),
  ])
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  for (const section of sectionNames) await post(section, 'reset')
})

async function get(section: string, token = manager.token): Promise<Document> {
  const { status, body } = await app.rest('GET', `/api/config/${section}`, { token })
  expect({ section, status }).toEqual({ section, status: 200 })
  return documentSchema.parse(body)
}

function put(section: string, body: unknown) {
  return app.rest('PUT', `/api/config/${section}`, { token: manager.token, body })
}

function post(section: string, path: string, body: unknown = {}) {
  return app.rest('POST', `/api/config/${section}/${path}`, { token: manager.token, body })
}

function versionOf({ _meta: meta }: Document): number {
  return meta.version
}

async function save(section: string, body: unknown): Promise<Document> {
  const answer = await put(section, body)
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 })
  return documentSchema.parse(answer.body)
}

const saveMutation = `mutation ($section: ConfigurationSection!, $document: ConfigurationDocument!, $ifVersion: Int) {
  saveConfiguration(section: $section, document: $document, ifVersion: $ifVersion)
}`

function errorPathsOf(body: unknown): string[] {
  const { data } = z.looseObject({ data: z.looseObject({ fields: z.array(z.looseObject({ path: z.string() })) }) }).parse(body)
  return data.fields.map(({ path }) => path)
}

describe('reading', () => {
  test.each(sectionNames)('%s: REST and GraphQL return the same document, with its version as entity tag', async (section) => {
    const { headers, body } = await app.rest('GET', `/api/config/${section}`, { token: manager.token })
    const query = `{ configuration(section: ${section.toUpperCase()}) }`
    const { data } = await app.graphql(query, { token: manager.token })
    expect(data).toEqual({ configuration: body })
    expect(headers.get('etag')).toBe(`"${versionOf(documentSchema.parse(body))}"`)
  })

  test('set secrets are masked and have a fingerprint, the others are null', async () => {
    expect(await get('telephony')).toMatchObject({
      provider: { apiKey: mask, account: 'demo-account' },
      outbound: { apiKey: mask, apiToken: mask },
      defaultAgentPassword: null,
      _meta: { secrets: { 'provider.apiKey': matching(/^[0-9a-f]{8}$/), 'outbound.apiToken': anyText } },
    })
  })

  test('equal secrets have equal fingerprints; other secrets and other workspaces have other fingerprints', async () => {
    const secretsOf = async (token: string) => {
      const { _meta: meta } = await get('telephony', token)
      return z.looseObject({ secrets: z.record(z.string(), z.string()) }).parse(meta).secrets
    }
    const before = await secretsOf(manager.token)
    await save('telephony', { provider: { apiKey: 'another-key' } })
    const after = await secretsOf(manager.token)
    expect(after['provider.apiKey']).not.toBe(before['provider.apiKey'])
    expect(after['outbound.apiKey']).toBe(before['outbound.apiKey'])
    await app.rest('PUT', '/api/config/telephony', { token: stranger.token, body: { provider: { apiKey: 'another-key' } } })
    expect((await secretsOf(stranger.token))['provider.apiKey']).not.toBe(after['provider.apiKey'])
  })

  test('every member reads the theme, without its editor; only managers read the other sections', async () => {
    const { _meta: themeMeta } = await get('theme', user.token)
    expect(Object.keys(themeMeta)).toEqual(['version', 'changedAt'])
    const { data } = await app.graphql('{ theme { brand { hospitalName logoUrl } colors { primary } fonts { body } } }', {
      token: user.token,
    })
    expect(data).toMatchObject({ theme: { brand: { hospitalName: null }, colors: { primary: '#1456c4' } } })
    for (const section of sectionNames.filter((name) => name !== 'theme')) {
      const { status, body } = await app.rest('GET', `/api/config/${section}`, { token: user.token })
      expect({ status, body }).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
    expect((await app.rest('GET', '/api/config/theme')).status).toBe(401)
  })

  test.each([
    ['PUT', ''],
    ['POST', '/reset'],
    ['POST', '/test'],
    ['GET', '/history'],
    ['GET', '/history/1'],
    ['POST', '/history/1/restore'],
    ['GET', '/schema'],
  ])('%s /api/config/theme%s is allowed only to managers', async (method, path) => {
    const body = method === 'GET' ? undefined : {}
    expect((await app.rest(method, `/api/config/theme${path}`, { token: user.token, body })).status).toBe(403)
    expect((await app.rest(method, `/api/config/theme${path}`, { body })).status).toBe(401)
  })

  test('a section describes itself as JSON Schema, the same over GraphQL', async () => {
    const { body } = await app.rest('GET', '/api/config/telephony/schema', { token: manager.token })
    expect(body).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: {
        defaultAgentPassword: {
          description: anyText,
          anyOf: [{ type: 'string', secret: true, format: 'password' }, { type: 'null' }],
        },
        sip: { properties: { wsPort: { type: 'integer', default: 444, minimum: 1, maximum: 65_535 } } },
        provider: { anyOf: [{ oneOf: [{ title: 'Ozonetel CloudAgent' }] }, { type: 'null' }] },
      },
    })
    const { data } = await app.graphql('{ configurationSchema(section: TELEPHONY) }', { token: manager.token })
    expect(data).toEqual({ configurationSchema: body })
  })
})

describe('saving', () => {
  test.each(sectionNames)('%s: saving what was read changes nothing', async (section) => {
    const before = await get(section)
    expect(await save(section, before)).toEqual(before)
  })

  test('fields that are left out do not change, at every depth', async () => {
    await save('theme', { brand: { hospitalName: 'Lakeside' } })
    await save('theme', { brand: { logoUrl: 'https://lakeside.example/logo.svg' }, colors: { primary: '#AA0000' } })
    expect(await get('theme')).toMatchObject({
      brand: { hospitalName: 'Lakeside', logoUrl: 'https://lakeside.example/logo.svg' },
      colors: { primary: '#aa0000', accent: '#0b7a6f' },
    })
  })

  test('works the same by REST and by GraphQL', async () => {
    const options = { token: manager.token, variables: { section: 'AI', document: { temperature: 0.7 } } }
    const { data } = await app.graphql(saveMutation, options)
    expect(data?.['saveConfiguration']).toEqual(await get('ai'))
    expect((await get('ai'))['temperature']).toBe(0.7)
  })

  test('a masked secret does not change, null clears it, another text replaces it', async () => {
    await save('telephony', { defaultAgentId: 'agent9', defaultAgentPassword: 'first password' })
    await save('telephony', { defaultAgentPassword: mask, did: '+918069876502' })
    expect(await stored('telephony')).toContain('+918069876502')
    expect(await get('telephony')).toMatchObject({ defaultAgentPassword: mask })
    await save('telephony', { defaultAgentPassword: null })
    expect(await get('telephony')).toMatchObject({ defaultAgentPassword: null })
  })

  test('an unchanged secret still works, one that was replaced by a wrong one does not', async () => {
    const provider = { account: 'demo-account', apiKey: mask }
    await save('telephony', { provider })
    expect(await testSection('telephony')).toMatchObject({ ok: true })
    await save('telephony', { provider: { ...provider, apiKey: 'wrong' } })
    expect(await testSection('telephony')).toMatchObject({ ok: false })
  })

  test('the mask never becomes a value', async () => {
    for (const document of [
      { defaultAgentPassword: ` ${mask} ` },
      { defaultAgentPassword: mask.toUpperCase(), defaultAgentId: 'x' },
      { did: mask },
      { dispositions: ['Done', mask] },
      { provider: { account: mask, apiKey: 'k' } },
      { provider: null, outbound: { id: 'ozonetel', apiKey: mask } },
    ]) {
      const answer = await put('telephony', document)
      expect({ document, status: answer.status }).toEqual({ document, status: 400 })
    }
    await save('telephony', { provider: null })
    const answer = await put('telephony', { provider: { id: 'ozonetel', account: 'demo-account', apiKey: mask } })
    expect(answer).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'provider.apiKey' }] } } })
    await save('telephony', { defaultAgentPassword: mask })
    expect(await get('telephony')).toMatchObject({ defaultAgentPassword: null })
  })

  test.each([
    ['another address, the secret masked', { provider: { apiUrl: 'https://thief.example', apiKey: mask } }, ['provider.apiKey']],
    ['another address, the secret left out', { provider: { eventsUrl: 'https://thief.example' } }, ['provider.apiKey']],
    ['another account', { provider: { account: 'thief', apiKey: mask } }, ['provider.apiKey']],
    [
      'both providers at once',
      { provider: { account: 'a' }, outbound: { account: 'b', apiKey: mask, apiToken: 'new' } },
      ['outbound.apiKey', 'provider.apiKey'],
    ],
  ])('a secret goes to a new destination only if it is sent again: %s', async (_what, document, fields) => {
    const before = await get('telephony')
    const answer = await put('telephony', document)
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_USER_INPUT' } })
    expect(errorPathsOf(answer.body).toSorted((a, b) => a.localeCompare(b))).toEqual(fields)
    expect(await get('telephony')).toEqual(before)
  })

  test('a secret cannot be moved in several steps: through no provider, through a default agent password', async () => {
    await save('telephony', { defaultAgentId: 'agent9', defaultAgentPassword: 'secret' })
    const { provider } = z.looseObject({ provider: z.looseObject({}) }).parse(await get('telephony'))
    await save('telephony', { provider: null })
    const again = { ...provider, apiUrl: 'https://thief.example', apiKey: 'my own' }
    expect(errorPathsOf((await put('telephony', { provider: again })).body)).toEqual(['defaultAgentPassword'])
    expect(errorPathsOf((await post('telephony', 'test', { provider: again })).body)).toEqual(['defaultAgentPassword'])
  })

  test('the address may change if the secret is sent again', async () => {
    const [{ apiUrl }] = z.tuple([z.looseObject({ apiUrl: z.string() })]).parse([(await get('telephony'))['provider']])
    await save('telephony', { provider: { apiUrl: `${apiUrl}/`, apiKey: mask } })
    await save('telephony', { provider: { account: telephonyAccounts.acme.userName, apiKey: telephonyAccounts.acme.apiKey } })
    expect(await testSection('telephony')).toMatchObject({
      checks: withChecks({ name: 'telephony.access', ok: true }, { found: containing('Another workspace') }),
    })
  })

  test.each(['http://169.254.169.254/', 'http://127.0.0.1:1/', 'http://[::1]:80', 'http://localhost:4100', 'http://10.0.0.7/'])(
    'refuses %s as the address of a provider',
    async (apiUrl) => {
      const document = { provider: { apiUrl, apiKey: 'sent again' } }
      for (const path of ['', 'test']) {
        const answer = await (path === '' ? put('telephony', document) : post('telephony', path, document))
        expect(answer).toMatchObject({
          status: 400,
          body: { data: { fields: [{ path: 'provider.apiUrl', message: 'is not a public address' }] } },
        })
      }
    },
  )

  test("a platform API key must be this workspace's own", async () => {
    const { platform } = app.standIns
    const foreign = await put('platform', { apiKey: platform.apiKeyOf('acme') })
    expect(foreign).toMatchObject({
      status: 400,
      body: { data: { fields: [{ path: 'apiKey', message: 'belongs to another workspace' }] } },
    })
    const unknown = await put('platform', { apiKey: 'no key at all' })
    expect(unknown).toMatchObject({
      status: 400,
      body: { data: { fields: [{ path: 'apiKey', message: 'is refused by the platform' }] } },
    })
    await save('platform', { apiKey: null })
    await save('platform', { apiKey: platform.apiKeyOf('demo') })
  })
})

type BadInput = [what: string, section: string, document: unknown, paths: string[]]

describe('bad input', () => {
  test.each<BadInput>([
    ['unknown field', 'theme', { brnad: {} }, ['brnad']],
    ['unknown field inside', 'theme', { brand: { hospitalNme: 'x' } }, ['brand.hospitalNme']],
    ['several unknown fields', 'ai', { a: 1, b: 2 }, ['a', 'b']],
    ["another section's field", 'widget', { hospitalName: 'x' }, ['hospitalName']],
    ['inherited names', 'ai', { valueOf: {}, toString: 'x' }, ['valueOf', 'toString']],
    ['temperature too high', 'ai', { temperature: 2.5 }, ['temperature']],
    ['temperature too high for this provider', 'ai', { provider: 'anthropic', temperature: 1.5 }, ['temperature']],
    ['temperature of a wrong type', 'ai', { temperature: '1' }, ['temperature']],
    ['unknown provider', 'ai', { provider: 'nobody' }, ['provider']],
    ['unknown telephony provider', 'telephony', { provider: { id: 'nobody' } }, ['provider.id']],
    ['invalid colour', 'theme', { colors: { primary: 'red', text: '#12345' } }, ['colors.primary', 'colors.text']],
    ['font that escapes CSS', 'theme', { fonts: { body: 'x; } body { display: none' } }, ['fonts.body']],
    ['script for a logo', 'theme', { brand: { logoUrl: 'javascript:alert(1)' } }, ['brand.logoUrl']],
    ['invalid number', 'telephony', { did: 'call me' }, ['did']],
    ['invalid port', 'telephony', { sip: { wsPort: 70_000 } }, ['sip.wsPort']],
    ['a path with a query', 'telephony', { sip: { wsPath: '/ws?token=1' } }, ['sip.wsPath']],
    ['fraction for a port', 'telephony', { sip: { wsPort: 44.5 } }, ['sip.wsPort']],
    ['unknown country', 'telephony', { defaultCountry: 'XX' }, ['defaultCountry']],
    ['null where a value must be', 'telephony', { defaultCountry: null, sip: null }, ['defaultCountry', 'sip']],
    ['null for a secret that is needed', 'telephony', { provider: { apiKey: null } }, ['provider.apiKey']],
    ['list for an object', 'theme', { brand: [] }, ['brand']],
    ['object for a list', 'telephony', { dispositions: {} }, ['dispositions']],
    ['the same outcome twice', 'telephony', { dispositions: ['Done', 'Done'] }, ['dispositions']],
    ['name that would escape its query', 'platform', { objects: { lead: { plural: 'leads { id } x' } } }, ['objects.lead.plural']],
    ['unknown time zone', 'platform', { visits: { timeZone: 'Asia/Nowhere' } }, ['visits.timeZone']],
    ['offset for a time zone', 'platform', { visits: { timeZone: '+05:30', slotMinutes: 0 } }, ['visits.timeZone', 'visits.slotMinutes']],
    ['a text that is too long', 'ai', { systemPromptAddendum: 'x'.repeat(900_000) }, ['systemPromptAddendum']],
    [
      'a list that is too long',
      'telephony',
      { dispositions: Array.from({ length: 4_000 }, (_, index) => `code ${index}`) },
      ['dispositions'],
    ],
  ])('%s: 400 by REST, BAD_USER_INPUT by GraphQL; the fields are named and nothing is stored', async (...[, section, document, paths]) => {
    const before = await get(section)
    const answer = await put(section, document)
    expect({ status: answer.status, code: z.looseObject({ code: z.string() }).parse(answer.body).code }).toEqual({
      status: 400,
      code: 'BAD_USER_INPUT',
    })
    expect(errorPathsOf(answer.body)).toEqual(paths)
    const { errors } = await app.graphql(saveMutation, { token: manager.token, variables: { section: section.toUpperCase(), document } })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' })
    expect(errorPathsOf(errors?.[0]?.extensions)).toEqual(paths.map((path) => `document.${path}`))
    expect(await get(section)).toEqual(before)
  })

  test('names the limits and the allowed values', async () => {
    const answer = await put('ai', { provider: 'anthropic', temperature: 1.5 })
    expect(answer.body).toMatchObject({ data: { fields: [{ message: 'must be between 0 and 1 for anthropic' }] } })
    const choice = await put('ai', { provider: 'nobody' })
    expect(choice.body).toMatchObject({ data: { fields: [{ allowed: ['openai', 'anthropic', 'google', 'openai-compatible'] }] } })
  })

  test('refuses unknown sections, bodies that are not objects, and bodies over a megabyte', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['POST', '/reset'],
      ['GET', '/history'],
      ['GET', '/schema'],
      ['POST', '/test'],
    ] as const) {
      const answer = await app.rest(method, `/api/config/nothing${path}`, { token: manager.token, body: method === 'GET' ? undefined : {} })
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: 400 })
      expect(errorPathsOf(answer.body)).toEqual(['section'])
    }
    for (const body of ['[]', '"text"', '7', 'null', '{']) expect((await put('theme', body)).status).toBe(400)
    const deep = `{"brand":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`
    expect((await put('theme', deep)).status).toBe(400)
    expect((await put('ai', { systemPromptAddendum: 'x'.repeat(1_100_000) })).status).toBe(413)
  })
})

describe('conflict and history', () => {
  test('If-Match: accepts the current version, refuses an older one and returns what changed meanwhile', async () => {
    const { _meta: meta } = await get('theme')
    const first = await app.rest('PUT', '/api/config/theme', {
      token: manager.token,
      body: { brand: { hospitalName: 'One' } },
      headers: { 'if-match': `"${meta.version}"` },
    })
    expect(first.status).toBe(200)
    expect(first.headers.get('etag')).toBe(`"${meta.version + 1}"`)
    const conflict = await app.rest('PUT', '/api/config/theme', {
      token: manager.token,
      body: { brand: { hospitalName: 'Two' } },
      headers: { 'if-match': `"${meta.version}"` },
    })
    expect(conflict).toMatchObject({
      status: 409,
      body: {
        code: 'CONFLICT',
        reason: 'CHANGED_MEANWHILE',
        data: {
          version: meta.version + 1,
          changes: [{ version: meta.version + 1, fields: ['brand.hospitalName'], changedBy: { memberId: manager.memberId } }],
        },
      },
    })
    const { errors } = await app.graphql(saveMutation, {
      token: manager.token,
      variables: { section: 'THEME', document: {}, ifVersion: meta.version },
    })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', data: { version: meta.version + 1 } })
    for (const path of ['reset', `history/${meta.version}/restore`]) {
      const answer = await app.rest('POST', `/api/config/theme/${path}`, {
        token: manager.token,
        body: {},
        headers: { 'if-match': `"${meta.version}"` },
      })
      expect(answer.status).toBe(409)
    }
    expect(await get('theme')).toMatchObject({ brand: { hospitalName: 'One' } })
  })

  test('only one of several concurrent writers with the same version succeeds', async () => {
    const { _meta: meta } = await get('theme')
    const attempts = ['A', 'B', 'C', 'D'].map((hospitalName) =>
      app.rest('PUT', '/api/config/theme', {
        token: manager.token,
        body: { brand: { hospitalName } },
        headers: { 'if-match': `"${meta.version}"` },
      }),
    )
    expect((await Promise.all(attempts)).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
  })

  test('concurrent writers without a version do not lose changes', async () => {
    await Promise.all([
      save('theme', { brand: { hospitalName: 'Lakeside' } }),
      save('theme', { colors: { primary: '#111111' } }),
      save('theme', { colors: { accent: '#222222' } }),
      save('theme', { fonts: { body: 'Georgia' } }),
    ])
    expect(await get('theme')).toMatchObject({
      brand: { hospitalName: 'Lakeside' },
      colors: { primary: '#111111', accent: '#222222' },
      fonts: { body: 'Georgia' },
    })
  })

  test('the history has who, when and which fields, never a value; the same by GraphQL', async () => {
    await save('telephony', { defaultAgentId: 'agent9', defaultAgentPassword: 'history-secret', sip: { wsPort: 8443 } })
    const { body } = await app.rest('GET', '/api/config/telephony/history', { token: manager.token })
    expect(body).toMatchObject([
      {
        action: 'SAVED',
        changedBy: { memberId: manager.memberId, name: 'Nandini Menon' },
        changedAt: matching(/^\d{4}-.*Z$/),
        fields: ['defaultAgentId', 'defaultAgentPassword', 'sip.wsPort'],
      },
      ...z.array(z.unknown()).parse(body).slice(1),
    ])
    expect(JSON.stringify(body)).not.toMatch(/history-secret|8443|v1\./)
    const query = '{ configurationHistory(section: TELEPHONY) { id version changedAt changedBy { id memberId name } action fields } }'
    expect((await app.graphql(query, { token: manager.token })).data).toEqual({ configurationHistory: body })
  })

  test('an earlier version can be restored with its secrets', async () => {
    const before = await get('telephony')
    await save('telephony', { provider: { apiKey: 'a wrong key' }, campaignName: 'Other' })
    expect(await testSection('telephony')).toMatchObject({ ok: false })
    const earlier = await app.rest('GET', `/api/config/telephony/history/${versionOf(before)}`, { token: manager.token })
    expect(earlier).toMatchObject({ status: 200, body: before })
    expect(JSON.stringify(earlier.body)).not.toContain('a wrong key')
    const view = 'query ($version: Int!) { configurationVersion(section: TELEPHONY, version: $version) }'
    const { data } = await app.graphql(view, { token: manager.token, variables: { version: versionOf(before) + 1 } })
    expect(data).toMatchObject({ configurationVersion: { provider: { apiKey: '***masked***' }, campaignName: 'Other' } })
    expect((await app.graphql(view, { token: manager.token, variables: { version: 9999 } })).errors?.[0]?.extensions).toMatchObject({
      code: 'NOT_FOUND',
    })
    const { status, body } = await post('telephony', `history/${versionOf(before)}/restore`)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { campaignName: before['campaignName'], _meta: { version: versionOf(before) + 2 } },
    })
    expect(await testSection('telephony')).toMatchObject({ ok: true })
    const restore = 'mutation { restoreConfiguration(section: TELEPHONY, version: 9999) }'
    expect((await app.graphql(restore, { token: manager.token })).errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' })
    expect((await post('telephony', 'history/9999/restore')).status).toBe(404)
    expect((await post('telephony', 'history/first/restore')).status).toBe(400)
  })

  test("a reset restores the environment's values in their workspace and the defaults elsewhere", async () => {
    await save('telephony', { provider: null, campaignName: null })
    const { data } = await app.graphql('mutation { resetConfiguration(section: TELEPHONY) }', { token: manager.token })
    expect(data).toMatchObject({ resetConfiguration: { provider: { account: 'demo-account', apiKey: mask } } })
    expect(await testSection('telephony')).toMatchObject({ ok: true })
    await save('theme', { brand: { hospitalName: 'Lakeside' } })
    expect((await post('theme', 'reset')).body).toMatchObject({ brand: { hospitalName: null } })
  })

  test('each change is in the audit log, without values', async () => {
    await save('telephony', { defaultAgentPassword: 'audited-secret', defaultAgentId: 'a9' })
    const { body } = await app.rest('GET', '/api/audit', { token: manager.token })
    expect(body).toMatchObject({
      entries: [
        {
          action: 'configuration.saved',
          actor: { memberId: manager.memberId, ip: anyText },
          targetKind: 'configuration',
          targetId: 'telephony',
          details: [{ name: 'version' }, { name: 'fields', value: 'defaultAgentId, defaultAgentPassword' }],
        },
        ...z
          .looseObject({ entries: z.array(z.unknown()) })
          .parse(body)
          .entries.slice(1),
      ],
    })
    expect(JSON.stringify(body)).not.toContain('audited-secret')
  })
})

describe('per workspace', () => {
  test('no operation of one workspace changes or shows another', async () => {
    const theirs = await Promise.all(sectionNames.map((section) => get(section, stranger.token)))
    await save('theme', { brand: { hospitalName: 'Ours alone' } })
    await save('telephony', { defaultAgentId: 'ours', defaultAgentPassword: 'ours' })
    const version = versionOf(await get('theme'))
    await post('theme', `history/${version - 1}/restore`)
    await post('ai', 'test')
    await post('widget', 'reset')
    expect(await Promise.all(sectionNames.map((section) => get(section, stranger.token)))).toEqual(theirs)
    const history = await app.rest('GET', '/api/config/theme/history', { token: stranger.token })
    expect(JSON.stringify(history.body)).not.toContain(manager.memberId)
    const { data } = await app.graphql('{ theme { brand { hospitalName } } }', { token: stranger.token })
    expect(data).toEqual({ theme: { brand: { hospitalName: null } } })
  })
})

describe('a saved change counts at once', () => {
  test('telephony: the next call uses the new values, a running call finishes with the old ones', async () => {
    const { telephony } = app.standIns
    telephony.forgetCalls()
    telephony.fault({ operation: 'abandonCalls', delayMs: 400, times: 1 })
    const underWay = testSection('telephony')
    await waitFor(() => telephony.calls('abandonCalls').length === 1)
    await save('telephony', { provider: { account: telephonyAccounts.acme.userName, apiKey: telephonyAccounts.acme.apiKey } })
    expect(await testSection('telephony')).toMatchObject({
      checks: withChecks({ name: 'telephony.access', ok: true }, { found: containing('Another workspace') }),
    })
    expect(await underWay).toMatchObject({ ok: true })
    const accounts = telephony
      .calls('abandonCalls')
      .map(({ body }) => z.looseObject({ userName: z.string() }).parse(JSON.parse(body)).userName)
    expect(accounts).toEqual(['demo-account', 'acme-account'])
  })

  test('AI: the next call has the new model, temperature and addendum', async () => {
    const { models } = app.standIns
    await save('ai', { temperature: 1.25, systemPromptAddendum: 'Speak of monsoon.' })
    models.forgetCalls()
    expect(await testSection('ai')).toMatchObject({ ok: true })
    expect(models.calls()[0]?.body).toMatch(/"temperature":1\.25/)
    expect(models.calls()[0]?.body).toContain('Speak of monsoon.')
    await save('ai', { model: 'no-such-model' })
    expect(await testSection('ai')).toMatchObject({ ok: false })
  })

  test('theme and sign-in: the next one has the new name, SIP server and campaign', async () => {
    await save('theme', { brand: { hospitalName: 'Lakeside' } })
    expect((await app.graphql('{ theme { brand { hospitalName } } }', { token: user.token })).data).toEqual({
      theme: { brand: { hospitalName: 'Lakeside' } },
    })
    await save('telephony', { sip: { domain: 'sip.new.example', wsPort: 8443, wsPath: '/ws' } })
    const { body } = await app.rest('POST', '/auth/login', {
      body: { email: 'agent2@demo.example', password: 'sandbox-password', workspace: 'demo' },
    })
    expect(body).toMatchObject({ sip: { domain: 'sip.new.example', wsPort: 8443, wsUrl: 'wss://sip.new.example:8443/ws' } })
  })

  test('country: the next number is parsed with it', async () => {
    const lookup = (token: string) => app.rest('POST', '/api/calls/lookup', { token, body: { phoneNumber: '020 7946 0018' } })
    await save('telephony', { defaultCountry: 'GB' })
    expect((await lookup(user.token)).body).toMatchObject({ phoneNumber: '+442079460018' })
  })

  test('roles: the new role name makes a manager', async () => {
    await save('platform', { roles: { manager: 'User' } })
    expect(await app.rest('GET', '/auth/me', { token: user.token })).toMatchObject({ body: { role: 'MANAGER' } })
    await save('platform', { roles: { manager: null } })
    expect(await app.rest('GET', '/auth/me', { token: user.token })).toMatchObject({ body: { role: 'USER' } })
  })

  test('a file that was edited by hand counts, and is in the history', async () => {
    const file = fileOf('theme')
    await writeFile(file, (await readFile(file, 'utf8')).replace('"hospitalName": null', '"hospitalName": "By hand"'))
    await waitFor(async () => {
      const { data } = await app.graphql('{ theme { brand { hospitalName } } }', { token: user.token })
      expect(data).toEqual({ theme: { brand: { hospitalName: 'By hand' } } })
      return true
    })
    const { body } = await app.rest('GET', '/api/config/theme/history', { token: manager.token })
    expect(body).toMatchObject([
      { action: 'EDITED_BY_HAND', changedBy: null, fields: ['brand.hospitalName'] },
      ...z.array(z.unknown()).parse(body).slice(1),
    ])
  })

  test('an address in the private network is not reached, even if it was written into the file', async () => {
    let connections = 0
    const canary = createServer().on('connection', () => (connections += 1))
    await new Promise<void>((resolve) => canary.listen({ host: '127.0.0.1', port: 0 }, resolve))
    const address = z.object({ port: z.int() }).parse(canary.address())
    const file = fileOf('telephony')
    await writeFile(file, (await readFile(file, 'utf8')).replace(/"apiUrl": "[^"]+"/, `"apiUrl": "http://127.0.0.1:${address.port}"`))
    await waitFor(async () => JSON.stringify((await get('telephony'))['provider']).includes(String(address.port)))
    expect(await testSection('telephony')).toMatchObject({
      ok: false,
      checks: withChecks({ name: 'telephony.access', found: containing('is not a public address') }),
    })
    expect(connections).toBe(0)
    canary.close()
  })

  test('a broken file: its section names it, the other sections work, and nothing is overwritten', async () => {
    const file = fileOf('ai')
    const whole = await readFile(file, 'utf8')
    await writeFile(file, whole.slice(0, 100))
    await waitFor(async () => (await app.rest('GET', '/api/config/ai', { token: manager.token })).status === 409)
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['POST', '/reset'],
      ['POST', '/test'],
      ['GET', '/history'],
      ['POST', '/history/1/restore'],
    ] as const) {
      const answer = await app.rest(method, `/api/config/ai${path}`, { token: manager.token, body: method === 'GET' ? undefined : {} })
      expect({ method, path, ...answer }).toMatchObject({
        status: 409,
        body: { code: 'NOT_CONFIGURED', detail: matching(/configuration\/.*\/ai\.json/) },
      })
    }
    expect(versionOf(await get('theme'))).toBeGreaterThan(0)
    expect(versionOf(await get('ai', stranger.token))).toBeGreaterThan(0)
    expect(await readFile(file, 'utf8')).toBe(whole.slice(0, 100))
    await writeFile(file, whole)
    await waitFor(async () => (await app.rest('GET', '/api/config/ai', { token: manager.token })).status === 200)
  })
})

describe('testing a section', () => {
  test('tests a document that is not stored, with the same rules for secrets', async () => {
    const before = await get('telephony')
    expect(await testSection('telephony', { provider: { apiKey: 'wrong' } })).toMatchObject({
      ok: false,
      checks: withChecks(
        { name: 'telephony.access', ok: false, found: anyText, advice: containing('key') },
        { name: 'telephony.liveEvents', found: containing('as soon as') },
      ),
    })
    expect(await testSection('telephony', { provider: { apiKey: mask } })).toMatchObject({ ok: true })
    expect(await get('telephony')).toEqual(before)
  })

  test('reports telephony that is not configured or not available', async () => {
    expect(await testSection('telephony', { provider: null })).toMatchObject({
      ok: false,
      checks: withChecks({ advice: containing('Choose a provider') }, { name: 'telephony.liveEvents', ok: false }),
    })
    app.standIns.telephony.fault({ act: 'refuse', status: 503 })
    expect(await testSection('telephony')).toMatchObject({
      ok: false,
      checks: withChecks({ ok: false, advice: containing('try again') }),
    })
    app.standIns.telephony.clearFaults()
  })

  test('AI answers a tiny structured prompt; for an unknown model or a missing key it says what to do', async () => {
    expect(await testSection('ai')).toMatchObject({
      section: 'AI',
      ok: true,
      checks: [{ name: 'ai.answer', found: containing('sandbox-model') }],
    })
    expect(await testSection('ai', { model: 'unknown' })).toMatchObject({
      ok: false,
      checks: [{ advice: containing('Check the key') }],
    })
    expect(await testSection('ai', { provider: 'anthropic', model: 'claude' })).toMatchObject({
      ok: false,
      checks: [{ found: containing('ANTHROPIC_API_KEY') }],
    })
    for (const as of ['quota', 'credit'] as const) {
      app.standIns.models.refuseNext({ as })
      expect(await testSection('ai')).toMatchObject({
        ok: false,
        checks: [{ found: matching(/credit .* used up/), advice: containing('Top up') }],
      })
    }
    app.standIns.models.refuseNext({ as: 'limit' })
    expect(await testSection('ai')).toMatchObject({ ok: false, checks: [{ advice: containing('try again in 30 s') }] })
    app.standIns.models.refuseNext({ as: 'filter' })
    expect(await testSection('ai')).toMatchObject({ ok: false, checks: [{ found: containing('content filter') }] })
  })

  test('platform: checks key, objects, roles, names that are used twice, passwords on agent records', async () => {
    expect(await testSection('platform')).toMatchObject({
      ok: true,
      checks: [
        { name: 'platform.apiKey', ok: true },
        { name: 'platform.objects', ok: true },
        { name: 'platform.roles', ok: true, found: containing('User may change agent records'), advice: anyText },
        { name: 'platform.rootFields', ok: true },
        {
          name: 'platform.passwords',
          ok: true,
          found: containing('sipPassword and providerAgentPassword'),
          advice: anyText,
        },
      ],
    })
    const renamed = {
      apiKey: null,
      roles: { user: 'Staff' },
      objects: { call: { fields: { notes: 'remarks' } }, doctor: { singular: 'physician', plural: 'physicians' } },
    }
    expect(await testSection('platform', renamed)).toMatchObject({
      ok: false,
      checks: [
        { ok: false, found: 'No API key is set' },
        { ok: false, found: matching(/physician is missing.*call\.remarks is missing/) },
        { ok: false, found: 'Staff is missing' },
        {},
        {},
      ],
    })
  })

  test('REST and GraphQL return the same checks', async () => {
    const query = 'mutation { testConfiguration(section: THEME) { section ok checks { name ok unchecked tried found advice } } }'
    const { data } = await app.graphql(query, { token: manager.token })
    const { testedAt, ...rest } = z.looseObject({ testedAt: z.iso.datetime() }).parse(await testSection('theme'))
    expect(testedAt).toBeTruthy()
    expect(data).toEqual({ testConfiguration: rest })
  })
})

test('no secret is ever in clear on disk, in an answer or in the log', async () => {
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()]
  await save('telephony', { defaultAgentId: 'a9', defaultAgentPassword: first })
  await put('telephony', { defaultAgentPassword: second, did: 'not a number' })
  await save('telephony', { defaultAgentPassword: second })
  await post('telephony', 'test', { provider: { apiKey: first } })
  const answers = await Promise.all(
    ['', '/history'].map((path) => app.rest('GET', `/api/config/telephony${path}`, { token: manager.token })),
  )
  const all = [...(await filesOf(app.dataDir)), app.logged.join(''), JSON.stringify(answers)].join('\n')
  for (const secret of [first, second, telephonyAccounts.demo.apiKey, telephonyAccounts.acme.apiKey])
    expect(all.includes(secret)).toBe(false)
  expect(all).toContain('"defaultAgentPassword": "v1.')
})

async function testSection(section: string, document?: unknown): Promise<unknown> {
  const { status, body } = await app.rest('POST', `/api/config/${section}/test`, { token: manager.token, body: document })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

function fileOf(section: string): string {
  return join(app.dataDir, 'configuration', app.standIns.platform.workspaceIdOf('demo'), `${section}.json`)
}

function stored(section: string): Promise<string> {
  return readFile(fileOf(section), 'utf8')
}

async function filesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')))
}
