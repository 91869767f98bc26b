import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { LiveConfiguration } from '../../src/features/configuration/create-configuration.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createFileDocuments } from '../../src/providers/store/file-documents.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { type InstanceOptions, openConfiguration } from '../builders/configuration.ts'
import { createTestClock } from '../harness/clock.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

const line = { id: 'line', url: 'https://line.example', account: 'acme', key: 'line-key-1', token: null, mode: 'A', tags: [] }
const workspaceSeeds = [
  { workspace: 'acme', sections: { telephony: { provider: line, did: '+914440001111' }, platform: { apiKey: 'acme-key' } } },
]
const workspaces = {
  idOf: async (subdomain: string) => ({ acme: 'w-acme', demo: 'w-demo' })[subdomain] ?? null,
  ownerOfApiKey: async () => 'w-acme',
}

async function open(options: Partial<InstanceOptions> = {}): Promise<LiveConfiguration & { readonly dataDir: string }> {
  const dataDir = options.dataDir ?? (await tempDir())
  const live = await openConfiguration({ key: sameKey, workspaceSeeds, workspaces, dataDir, ...options })
  onTestFinished(() => live[Symbol.asyncDispose]())
  return { ...live, dataDir }
}

async function tempDir(): Promise<string> {
  const directory = await createTempDir()
  onTestFinished(() => directory[Symbol.asyncDispose]())
  return directory.path
}

const sameKey = randomBytes(32)
const colors = ['primary', 'accent', 'background', 'text']
const paths = (parent: string, ...fields: readonly string[]): string[] => fields.map((field) => `${parent}.${field}`)
const fileOf = (dataDir: string, workspaceId: string, section: string): string =>
  join(dataDir, 'configuration', workspaceId, `${section}.json`)
const saveAs = { action: 'SAVED', editor: { memberId: 'm1', name: 'Mina' } } as const

test("a section starts with the environment's values in their own workspace and with defaults in all others", async () => {
  const { configuration } = await open()
  expect(await configuration.read('w-acme', 'telephony')).toMatchObject({ provider: line, did: '+914440001111', sip: { wsPort: 444 } })
  expect(await configuration.read('w-demo', 'telephony')).toMatchObject({ provider: null, did: null, sip: { wsPort: 444 } })
  expect(await configuration.read('w-demo', 'platform')).toMatchObject({ apiKey: null, roles: { manager: null, user: null } })
})

test('the first read of a section, and a change, end when the document is written, once each', async () => {
  const dataDir = await tempDir()
  const documents = await createFileDocuments({ dataDir, log: createLog('silent') })
  let writes = 0
  const store: typeof documents = {
    ...documents,
    async replace(...given) {
      for (let rounds = 0; rounds < 5; rounds += 1) await setImmediate()
      writes += 1
      return documents.replace(...given)
    },
  }
  const { configuration, sections } = await open({ dataDir, store })
  await configuration.read('w-acme', 'telephony')
  expect([writes, JSON.parse(await readFile(fileOf(dataDir, 'w-acme', 'telephony'), 'utf8'))]).toMatchObject([1, { history: [{}] }])
  await sections.change({ workspaceId: 'w-acme', section: 'telephony' }, { ...saveAs, edit: ({ values }) => ({ ...values, did: null }) })
  expect(writes).toBe(2)
  // What was edited by hand becomes a version of its own, also once.
  const text = await readFile(fileOf(dataDir, 'w-acme', 'telephony'), 'utf8')
  await writeFile(fileOf(dataDir, 'w-acme', 'telephony'), text.replace('"defaultCountry": "IN"', '"defaultCountry": "DE"'))
  const { values } = await sections.load({ workspaceId: 'w-acme', section: 'telephony' })
  expect([values.defaultCountry, writes]).toEqual(['DE', 3])
})

test('a stored section ignores the environment', async () => {
  const { dataDir, configuration } = await open()
  await configuration.read('w-acme', 'telephony')
  const changed = [{ workspace: 'acme', sections: { telephony: { did: '+914449999999' } } }]
  const later = await open({ dataDir, workspaceSeeds: changed })
  expect((await later.configuration.read('w-acme', 'telephony')).did).toBe('+914440001111')
})

test("the environment's platform API key is used only for the workspace that it belongs to", async () => {
  const { configuration } = await open({ workspaces: { ...workspaces, ownerOfApiKey: async () => 'w-other' } })
  expect((await configuration.read('w-acme', 'platform')).apiKey).toBeNull()
  const own = await open()
  expect((await own.configuration.read('w-acme', 'platform')).apiKey).toBe('acme-key')
})

test('nothing is seeded while the platform cannot identify the workspaces', async () => {
  let away = true
  const idOf = async (): Promise<string> => {
    if (away) throw new Error('away')
    return 'w-acme'
  }
  const { configuration } = await open({ workspaces: { ...workspaces, idOf } })
  await expect(configuration.read('w-acme', 'telephony')).rejects.toThrow('away')
  away = false
  expect((await configuration.read('w-acme', 'telephony')).did).toBe('+914440001111')
})

test('values of the environment that do not fit are refused at start', async () => {
  const unfit = [{ workspace: 'acme', sections: { telephony: { provider: { ...line, url: 'nowhere' } } } }]
  await expect(open({ workspaceSeeds: unfit })).rejects.toThrow(/do not fit the telephony configuration of acme: provider\.url/)
})

test('secrets are sealed on disk, each for its own place', async () => {
  const { dataDir, configuration, sections } = await open()
  await configuration.read('w-acme', 'telephony')
  await configuration.read('w-acme', 'platform')
  const file = fileOf(dataDir, 'w-acme', 'telephony')
  const text = await readFile(file, 'utf8')
  expect(text + (await readFile(fileOf(dataDir, 'w-acme', 'platform'), 'utf8'))).not.toMatch(/line-key-1|acme-key/)
  await mkdir(join(dataDir, 'configuration', 'w-demo'))
  await writeFile(fileOf(dataDir, 'w-demo', 'telephony'), text)
  await expect(sections.load({ workspaceId: 'w-demo', section: 'telephony' })).rejects.toThrow('provider.key: was sealed for another place')
})

test('a change counts for the next read on both instances; values that were read before do not change', async () => {
  const dataDir = await tempDir()
  const notifications = createInProcessNotifications({ log: createLog('silent') })
  const [here, there] = [await open({ dataDir, notifications }), await open({ dataDir, notifications })]
  const held = await there.configuration.read('w-acme', 'theme')
  await here.sections.change(
    { workspaceId: 'w-acme', section: 'theme' },
    { ...saveAs, edit: ({ values }) => ({ ...values, brand: { ...values.brand, hospitalName: 'Acme Clinic' } }) },
  )
  expect((await here.configuration.read('w-acme', 'theme')).brand.hospitalName).toBe('Acme Clinic')
  expect((await there.configuration.read('w-acme', 'theme')).brand.hospitalName).toBe('Acme Clinic')
  expect(held.brand.hospitalName).toBeNull()
  expect((await there.configuration.read('w-demo', 'theme')).brand.hospitalName).toBeNull()
})

test('a section that changes while it is read again in the background has its new values', async () => {
  const clock = createTestClock()
  const dataDir = await tempDir()
  const files = await createFileDocuments({ dataDir, log: createLog('silent') })
  let gate: PromiseWithResolvers<void> | null = null
  const read = async (name: string): Promise<string | null> => {
    const opened = gate?.promise
    const text = await files.read(name)
    await opened
    return text
  }
  const { configuration, sections } = await open({ dataDir, clock, store: { ...files, read, watch: silent } })
  const hospitalName = async () => (await configuration.read('w-acme', 'theme')).brand.hospitalName
  // The first read stores the section, which is read again then.
  for (const _ of [1, 2]) expect(await hospitalName()).toBeNull()
  clock.advance(10_000)
  const slow = Promise.withResolvers<void>()
  gate = slow
  expect(await hospitalName()).toBeNull()
  gate = null
  await sections.change(
    { workspaceId: 'w-acme', section: 'theme' },
    { ...saveAs, edit: ({ values }) => ({ ...values, brand: { ...values.brand, hospitalName: 'Acme Clinic' } }) },
  )
  slow.resolve()
  // The background read, which has the former values, ends.
  for (let rounds = 0; rounds < 10; rounds += 1) await setImmediate()
  expect(await hospitalName()).toBe('Acme Clinic')
})

test('reading an unchanged section again does not read the store', async () => {
  const dataDir = await tempDir()
  const files = await createFileDocuments({ dataDir, log: createLog('silent') })
  let reads = 0
  const read = (name: string): Promise<string | null> => {
    reads += 1
    return files.read(name)
  }
  const { configuration } = await open({ dataDir, store: { ...files, read, watch: silent } })
  await configuration.read('w-acme', 'ai')
  const first = await configuration.read('w-acme', 'ai')
  reads = 0
  const again = await Promise.all(Array.from({ length: 1_000 }, () => configuration.read('w-acme', 'ai')))
  expect(again.every((values) => values === first)).toBe(true)
  expect(reads).toBe(0)
})

test('an edit of the file counts before the configuration is read again anyway, and becomes a version of its own', async () => {
  // By this clock it is never read again anyway.
  const { dataDir, configuration, sections } = await open({ clock: createTestClock() })
  await configuration.read('w-acme', 'theme')
  const file = fileOf(dataDir, 'w-acme', 'theme')
  const stored = (await readFile(file, 'utf8')).replace('"hospitalName": null', '"hospitalName": "By Hand"')
  await writeFile(file, stored)
  await waitFor(async () => (await configuration.read('w-acme', 'theme')).brand.hospitalName === 'By Hand')
  const { history } = await sections.load({ workspaceId: 'w-acme', section: 'theme' })
  const seededFields = [...paths('brand', 'hospitalName', 'logoUrl'), ...paths('colors', ...colors), ...paths('fonts', 'heading', 'body')]
  expect(history.map(({ version, action, fields }) => ({ version, action, fields }))).toEqual([
    { version: 2, action: 'EDITED_BY_HAND', fields: ['brand.hospitalName'] },
    { version: 1, action: 'SEEDED', fields: seededFields },
  ])
})

test('after a lost notification, a section in use is read again', async () => {
  const clock = createTestClock()
  const dataDir = await tempDir()
  const silentNotifications = { publish: async () => undefined, subscribe: silent, onGap: silent, close: async () => undefined }
  const here = await open({ dataDir })
  const there = await open({ dataDir, clock, notifications: silentNotifications })
  expect((await there.configuration.read('w-acme', 'ai')).model).toBeNull()
  there[Symbol.dispose]()
  await here.sections.change(
    { workspaceId: 'w-acme', section: 'ai' },
    { ...saveAs, edit: ({ values }) => ({ ...values, model: 'model-2' }) },
  )
  clock.advance(10_000)
  await waitFor(async () => (await there.configuration.read('w-acme', 'ai')).model === 'model-2')
})

test.each([
  ['invalid JSON', () => '{ "values": '],
  ['an invalid form', () => '{"values":{}}'],
  ['an unknown field', (text: string) => text.replace('"did"', '"dId"')],
  ['an invalid value', (text: string) => text.replace('"wsPort": 444', '"wsPort": "many"')],
  ['a secret in clear', (text: string) => text.replace(/"key": "v1\.[^"]+"/, '"key": "clear-key"')],
  ['a secret that was changed', (text: string) => text.replace(/"key": "v1\.[^"]+"/, '"key": "v1.AAAA.AAAA.AAAA"')],
])('a broken file (%s) is named; the other sections work, and nothing is overwritten', async (_what, breakIt) => {
  const { dataDir, configuration, sections } = await open()
  await configuration.read('w-acme', 'telephony')
  const file = fileOf(dataDir, 'w-acme', 'telephony')
  const broken = breakIt(await readFile(file, 'utf8'))
  await writeFile(file, broken)
  const later = await open({ dataDir })
  const error = await later.configuration.read('w-acme', 'telephony').catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ reason: 'NOT_CONFIGURED' })
  expect(String(error)).toContain('configuration/w-acme/telephony.json')
  expect(String(error)).not.toContain('clear-key')
  const change = sections.change({ workspaceId: 'w-acme', section: 'telephony' }, { ...saveAs, edit: ({ values }) => values })
  await expect(change).rejects.toMatchObject({ reason: 'NOT_CONFIGURED' })
  expect(await readFile(file, 'utf8')).toBe(broken)
  expect((await later.configuration.read('w-acme', 'theme')).brand.hospitalName).toBeNull()
  expect((await later.configuration.read('w-demo', 'telephony')).provider).toBeNull()
})

test('the last 50 versions are stored', async () => {
  const { sections } = await open()
  const target = { workspaceId: 'w-acme', section: 'ai' } as const
  for (let number = 1; number <= 60; number += 1) {
    await sections.change(target, { ...saveAs, edit: ({ values }) => ({ ...values, model: `model-${number}` }) })
  }
  const { history } = await sections.load(target)
  expect(history.map(({ version }) => version)).toEqual(Array.from({ length: 50 }, (_, index) => 61 - index))
  expect((await sections.earlier(target, 12)).model).toBe('model-11')
  await expect(sections.earlier(target, 11)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
})

function silent(): Disposable {
  return { [Symbol.dispose]: () => undefined }
}
