import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { findUnguardedFields } from '../check/access.ts'
import { findCodeFaults } from '../check/code-rules.ts'
import { findSecondQueries } from '../check/one-directory-query.ts'
import { checkImportRules } from '../check/import-rules.ts'
import { findDescriptionFaults, findMissingIds } from '../check/schema-descriptions.ts'
import { measureStructure } from '../check/structure.ts'
import { findDearFiles } from '../check/test-costs.ts'
import { mayHaveRefusedWord, namesIn, refusedWord } from '../check/words.ts'
import { createTempDir } from '../harness/temp-dir.ts'

/** Imports that the design forbids: from, to (a file or a package), and the rule that must catch it. */
const forbidden = [
  ['src/kernel/clock.ts', 'src/features/calls/dialling/dial.ts', 'kernel-imports-nothing'],
  ['src/ports/store.ts', 'src/features/calls/dialling/dial.ts', 'ports-import-only-kernel'],
  ['src/ports/store.ts', 'src/access/actor.ts', 'ports-import-only-kernel'],
  ['src/access/actor.ts', 'src/ports/store.ts', 'access-imports-only-kernel'],
  ['src/features/calls/dialling/dial.ts', 'src/server/http/http-server.ts', 'features-import-no-layer-above'],
  ['src/features/calls/dialling/dial.ts', 'src/generated.ts', 'only-resolvers-use-schema-types'],
  ['src/features/calls/dialling/dial.ts', 'src/providers/store/redis.ts', 'features-import-no-layer-above'],
  ['src/features/calls/resolvers.ts', 'src/server/http/http-server.ts', 'features-import-no-layer-above'],
  ['src/features/calls/dialling/dial.ts', 'src/features/insights/write-insight.ts', 'calls-imports-only-features-to-its-right'],
  ['src/features/calls/state/call-facts.ts', 'src/features/calls/dialling/dial.ts', 'calls-state-imports-only-what-is-below'],
  ['src/features/calls/webhook-store/entry.ts', 'src/features/calls/state/call-facts.ts', 'calls-webhook-store-imports-only-what-is-below'],
  ['src/features/calls/dialling/dial.ts', 'src/features/calls/stored-values.ts', 'calls-dialling-imports-only-what-is-below'],
  ['src/features/calls/dialling/dial.ts', 'src/features/calls/new-room/x.ts', 'calls-dialling-imports-only-what-is-below'],
  ['src/features/calls/new-room/x.ts', 'src/features/calls/state/call-facts.ts', 'calls-room-is-in-the-order'],
  ['src/features/configuration/section-store.ts', 'src/features/events/asyncapi.ts', 'configuration-imports-only-features-to-its-right'],
  ['src/features/insights/summarise.ts', 'src/features/calls/resolvers.ts', 'resolvers-are-for-wiring'],
  ['src/providers/store/redis.ts', 'src/server/http/http-server.ts', 'providers-import-only-ports'],
  ['src/providers/store/redis.ts', 'src/features/calls/dialling/dial.ts', 'providers-import-only-ports'],
  ['src/providers/store/redis.ts', 'src/sandbox/stand-in.ts', 'providers-import-only-ports'],
  ['src/providers/store/redis.ts', 'src/providers/broker/kafka.ts', 'no-provider-imports-another'],
  ['src/providers/telephony/ozonetel/client.ts', 'src/providers/telephony/other/client.ts', 'no-vendor-imports-another'],
  ['src/server/http/http-server.ts', 'src/providers/store/redis.ts', 'server-imports-no-provider'],
  ['src/server/http/http-server.ts', 'src/settings/settings.ts', 'only-app-wires'],
  ['src/features/calls/dialling/dial.ts', 'src/app.ts', 'only-app-wires'],
  ['src/features/calls/dialling/dial.ts', 'src/wiring/ports.ts', 'only-app-wires'],
  ['src/server/http/http-server.ts', 'src/wiring/ports.ts', 'only-app-wires'],
  ['src/main.ts', 'src/features/calls/dialling/dial.ts', 'main-only-starts'],
  ['src/main.ts', 'src/wiring/ports.ts', 'main-only-starts'],
  ['src/sandbox/stand-in.ts', 'src/providers/store/redis.ts', 'sandbox-imports-nothing-of-the-service'],
  ['src/sandbox/stand-in.ts', 'src/kernel/clock.ts', 'sandbox-imports-nothing-of-the-service'],
  ['src/app.ts', 'src/sandbox/stand-in.ts', 'sandbox-for-main-and-tests'],
  ['src/features/calls/dialling/dial.ts', 'ioredis', 'vendor-packages-only-in-providers'],
  ['src/server/http/http-server.ts', 'kafkajs', 'vendor-packages-only-in-providers'],
  ['src/kernel/clock.ts', 'tests/builder.ts', 'src-imports-no-tests'],
  ['src/kernel/clock.ts', 'fast-check', 'production-needs-no-development-package'],
  ['src/kernel/clock.ts', 'src/kernel/not-there.ts', 'production-needs-no-development-package'],
  ['src/web/widget/panel.tsx', 'src/kernel/clock.ts', 'web-imports-nothing-of-the-service'],
  ['src/web/widget/panel.tsx', 'src/web/console/app.tsx', 'web-imports-nothing-of-the-service'],
  ['src/web/console/areas/desk/desk.tsx', 'src/web/console/areas/recordings/list.tsx', 'console-area-imports-no-other'],
  ['src/web/console/areas/desk/desk.tsx', 'src/web/console/app/shell.tsx', 'console-areas-imports-only-what-is-below'],
  ['src/web/console/phone/softphone.tsx', 'src/web/console/areas/desk/desk.tsx', 'console-phone-imports-only-what-is-below'],
  ['src/web/console/data/live.ts', 'src/web/console/session/session.ts', 'console-data-imports-only-what-is-below'],
  ['src/web/console/ui/table.tsx', 'src/web/console/data/live.ts', 'console-ui-imports-only-what-is-below'],
  ['src/web/console/state/store.ts', 'src/web/console/new-folder/x.ts', 'console-state-imports-only-what-is-below'],
  ['src/server/widget/handler.ts', 'src/web/widget/panel.tsx', 'service-imports-no-web'],
  ['src/server/widget/handler.ts', 'fast-check', 'production-needs-no-development-package'],
] as const

const allowed = [
  ['src/main.ts', 'src/app.ts'],
  ['src/main.ts', 'src/sandbox/stand-in.ts'],
  ['src/app.ts', 'src/providers/store/redis.ts'],
  ['src/app.ts', 'src/server/http/http-server.ts'],
  ['src/app.ts', 'src/wiring/ports.ts'],
  ['src/wiring/ports.ts', 'src/providers/store/redis.ts'],
  ['src/wiring/ports.ts', 'src/settings/settings.ts'],
  ['src/features/calls/resolvers.ts', 'src/generated.ts'],
  ['src/features/calls/resolvers.ts', 'src/features/calls/dialling/dial.ts'],
  ['src/features/calls/dialling/dial.ts', 'src/features/calls/state/call-facts.ts'],
  ['src/features/calls/dialling/dial.ts', 'src/features/events/asyncapi.ts'],
  ['src/features/calls/dialling/dial.ts', 'src/ports/telephony.ts'],
  ['src/features/calls/dialling/dial.ts', 'src/access/actor.ts'],
  ['src/server/http/http-server.ts', 'src/features/calls/resolvers.ts'],
  ['src/providers/store/redis.ts', 'src/providers/redis/connection.ts'],
  ['src/providers/store/redis.ts', 'src/ports/store.ts'],
  ['src/providers/store/redis.ts', 'ioredis'],
  ['src/providers/telephony/registry.ts', 'src/providers/telephony/ozonetel/client.ts'],
  ['src/providers/telephony/ozonetel/client.ts', 'src/providers/http-client.ts'],
  ['src/web/widget/app.tsx', 'src/web/widget/panel.tsx'],
  ['src/web/widget/app.tsx', 'fast-check'],
  ['src/web/console/app/shell.tsx', 'src/web/console/areas/desk/desk.tsx'],
  ['src/web/console/areas/desk/desk.tsx', 'src/web/console/areas/area.ts'],
  ['src/web/console/data/live.ts', 'src/web/console/state/store.ts'],
] as const

/** The names are numbered, so that a file can import many others. */
const importForms = {
  value: (target: string, n: number) => `import { x as x${n} } from '${target}'\nexport const y${n} = x${n}\n`,
  type: (target: string, n: number) => `import type { x as x${n} } from '${target}'\nexport type Y${n} = x${n}\n`,
  dynamic: (target: string, n: number) =>
    `export const y${n} = async () => {\n  await using z = await import('${target}')\n  return z\n}\n`,
  again: (target: string, n: number) => `export { x as x${n} } from '${target}'\n`,
}
type ImportForm = (target: string, n: number) => string

describe('import rules', () => {
  describe.each(Object.entries(importForms))('hold for each import of the form %s', (_, form) => {
    let faults: readonly string[]
    beforeAll(async () => ({ faults } = await checkSources(importing(forbidden, form))))

    test.each(forbidden)('%s must not import %s', (from, to, rule) => {
      const found = faults.filter((fault) => fault.startsWith(`${rule}: ${from} imports `) && fault.includes(basename(to)))
      expect(found).toHaveLength(1)
    })
  })

  test('everything else may be imported', async () => {
    const sources = importing(allowed, importForms.value)
    const { faults, modules } = await checkSources(sources)
    expect(faults).toEqual([])
    expect(modules).toBe(Object.keys(sources).length)
  })

  test('a circle is found', async () => {
    const { faults } = await checkSources({
      'src/calls/a.ts': `import { b } from './b.ts'\nexport const a = () => b\n`,
      'src/calls/b.ts': `import { a } from './a.ts'\nexport const b = () => a\n`,
    })
    expect(faults).toContainEqual(expect.stringMatching(/^no-cycles: src\/calls\/a\.ts/))
  })

  test('no sources at all is a fault, not a pass', async () => {
    const { faults } = await checkSources({ 'tests/only.ts': 'export {}\n', 'src/readme.md': '' })
    expect(faults).toContainEqual(expect.stringContaining('not-seen'))
  })
})

describe('access of root fields', () => {
  test('each needs @auth or @public, and not both', () => {
    const sdl = `
      directive @auth(role: String) on FIELD_DEFINITION
      directive @public on FIELD_DEFINITION
      type Query { bare: Int, open: Int @public }
      extend type Query { guarded: Int @auth(role: "MANAGER"), both: Int @auth @public }
      extend type Mutation { late: Int @deprecated }
      type Subscription { heard: Int }
      type Call { id: ID }`
    expect(findUnguardedFields(sdl)).toEqual(['Query.bare', 'Query.both', 'Mutation.late', 'Subscription.heard'])
  })
})

describe('every part of the schema has a description', () => {
  test('that says more than its name', () => {
    const sdl = /* GraphQL */ `
      "Reads."
      type Query
      extend type Query {
        "The calls that nobody answered."
        missedCalls(first: Int, "Only this one." id: ID): [MissedCall]
      }
      "A missed call."
      type MissedCall {
        "The ID of the missed call."
        id: ID
        "Given by the provider."
        ucid: ID
        at: String
      }
      input Bare {
        "The bare names."
        name: String
      }
      "What it is."
      enum Kind {
        "Kind one."
        ONE
        TWO
      }
    `
    expect(findDescriptionFaults(sdl)).toEqual([
      'Query.missedCalls.first has no description',
      'MissedCall: its description only repeats its name',
      'MissedCall.id: its description only repeats its name',
      'MissedCall.at has no description',
      'Bare has no description',
      'Bare.name: its description only repeats its name',
      'Kind.ONE: its description only repeats its name',
      'Kind.TWO has no description',
    ])
  })

  test('an object that a query reaches has an id', () => {
    const sdl = `type Query { calls: CallConnection calls2: [Call!]! state: State } type CallConnection { nodes: [Call!]! }
      type Call { id: ID! claim: Claim } type Claim { id: ID by: String } type Answer { done: Boolean } union State = Open | Closed
      type Open { at: String } type Closed { id: ID! } type Mutation { dial: Answer }`
    expect(findMissingIds(sdl)).toEqual([
      'Claim needs id: ID!, so that clients can cache it',
      'Open needs id: ID!, so that clients can cache it',
    ])
  })
})

describe('house rules', () => {
  test.each([
    ['src/calls/call-utils.ts', ''],
    ['src/calls/helpers.ts', ''],
    ['src/calls/call.service.ts', ''],
    ['src/calls/index.ts', "export * from './dial.ts'"],
    ['src/features/calls/dialling/dial.ts', 'const at = Date.now()'],
    ['src/providers/store/x.ts', 'const at = new Date().toISOString()'],
    ['src/features/calls/dialling/dial.ts', "const key = process.env['KEY']"],
    ['src/web/widget/common.tsx', ''],
    ['src/features/calls/dialling/dial.ts', "await ports.store.get('call:w1:c1')"],
    ['src/server/operations/health-checks.ts', 'await using lease = await acquireLease(store, key, {})'],
    ['src/providers/speech/fair-use.ts', "store.sortedAdd('speech', 'x', 0)"],
    ['tests/calls/dial.test.ts', ['await createApp', '(settings)'].join('')],
  ])('%s: %s', (path, source) => {
    expect(findCodeFaults({ [path]: source })).toHaveLength(1)
  })

  test('leave the rest alone', () => {
    const sources = {
      'src/kernel/clock.ts': 'Date.now()',
      'src/settings/settings.ts': 'process.env',
      'src/features/calls/dialling/dial.ts': 'new Date(epochMs)',
      'src/calls/serviceable.ts': '',
      'tests/harness/x.ts': 'Date.now(); process.env',
      'src/web/widget/wait.tsx': 'Date.now()',
      'src/features/calls/state/dial-once.ts': 'await dialAttempts.read({ store }, key)',
      'src/providers/store/rate-limiter.ts': 'store.increment(key, points, { ttlMs })',
    }
    expect(findCodeFaults(sources)).toEqual([])
  })
})

describe('words of the glossary', () => {
  test.each([
    'createRestDoor',
    'door',
    'heardAt',
    'askerOf',
    'inTurn',
    'letters',
    'isPoisoned',
    'SchemaShelf',
    'lastPops',
    'DOOR_OPEN',
    'signedInAnew',
  ])('%s is refused, also in a text that has no other name', (name) => {
    expect(refusedWord(name)).not.toBeNull()
    expect(mayHaveRefusedWord(`const ${name} = 1`)).toBe(true)
  })

  test.each(['deadLetter', 'speakerTurns', 'recentScreenPops', 'outdoor', 'newId', 'newsletter', 'returned', 'indoors', 'seatbelt'])(
    '%s is allowed',
    (name) => expect(refusedWord(name)).toBeNull(),
  )

  test('are searched in names, not in comments and sentences', () => {
    const source = "type Door = { heardAt: string }\n// a seat\nconst x: Pick<Door, 'toldThem'> = say('nobody told me anew')"
    expect([...namesIn('a.ts', source)].filter((name) => refusedWord(name) !== null)).toEqual(['Door', 'heardAt', 'toldThem'])
  })
})

describe('figures of the structure', () => {
  test('count what they say', async () => {
    await using directory = await createTempDir()
    const sources = {
      'src/ports/store.ts': 'export interface Store { get(): string }\n',
      'src/features/calls/dialling/dial.ts': [
        "import type { Store } from '../../../ports/store.ts'",
        "import { phone } from '../../sessions/phone.ts'",
        'type DialDeps = { store: Store; now: () => number; name: string }',
        'export type CallOptions = { retries: number; name: string }',
        'export function createDial(deps: DialDeps) {',
        '  return (number: string) => phone(deps, number)',
        '}',
        'export function dial(store: Store) {',
        ...Array.from({ length: 61 }, () => '  store.get()'),
        '}',
        '',
      ].join('\n'),
      'src/features/sessions/phone.ts':
        "import { dial } from '../calls/dialling/dial.ts'\nexport const phone = (...all: unknown[]) => dial(all)\n",
      'src/wiring/calls.ts':
        "import { createDial } from '../features/calls/dialling/dial.ts'\nexport const calls = createDial(undefined)\n",
    }
    for (const [path, source] of Object.entries(sources)) {
      await mkdir(dirname(join(directory.path, path)), { recursive: true })
      await writeFile(join(directory.path, path), source)
    }
    const figures = Object.fromEntries(measureStructure(directory.path).map(({ name, value }) => [name, value]))
    expect(figures).toMatchObject({
      files: 4,
      'functions that only return a closure': 1,
      'functions named create… called once': 1,
      'types that only list dependencies': 1,
      'functions over 60 lines': 1,
      'mutual pairs of features': 1,
      'lines of wiring': 2,
      'files under 20 lines with one importer': 2,
    })
  })
})

describe('doctors and visit slots are asked for in one place', () => {
  const home = { 'src/providers/platform/doctors.ts': "listAll(records, access, { name: 'visitSlot', query })" }

  test.each([
    ["const slots = await records.list(access, 'visitSlot', { fields })"],
    ["await records.list(\n  asService(workspaceId, 'WIDGET'),\n  'doctor',\n  query)"],
    ["const object = await records.object(access, 'visitSlot')"],
    ["const name = 'doctor'"],
    ['const { visitSlot } = (await configuration.read(workspaceId, "platform")).objects'],
    ['const { objects: { doctor } } = section'],
    ['const plural = section.objects.visitSlot.plural'],
    ["const plural = section.objects['doctor'].plural"],
    ['const query = `{ visitSlots(filter: { leadId: { eq: $id } }) { edges { node { id } } } }`'],
    ['const query = `{ doctors { edges { node { id name } } } }`'],
    ['const query = `{ doctor(filter: { id: { eq: $id } }) { name } }`'],
    ['const write = `mutation { updateVisitSlots(filter: $filter, data: $data) { id } }`'],
    ['const query = `query($filter: VisitSlotFilterInput) { slots: visitSlots(filter: $filter) { totalCount } }`'],
  ])('not by %s elsewhere', (source) => {
    const path = 'src/supervision/free-slots.ts'
    expect(findSecondQueries({ ...home, [path]: source })).toEqual([expect.stringMatching(new RegExp(`^${path}: `))])
    expect(findSecondQueries({ ...home, 'src/ports/configuration/platform.ts': source })).toEqual([])
  })

  test('words about them are no query', () => {
    const sources = {
      ...home,
      'src/widget/list-slots.ts':
        'const { doctors, slots } = await directory.read(workspaceId); const of = slots.filter((slot) => slot.doctorId)',
      'src/widget/booking.ts':
        "import type { VisitSlot } from '../doctors/visit-slot.ts'; type Seen = Pick<Booking, 'doctor'>; z.enum(['slot', 'doctor'])",
      'src/web/console/doctors.graphql': 'query ListDoctors { doctorDirectory(filter: $filter) { doctors { id name } } }',
      'src/features/calls/screen-pop/look-up-call.ts': 'const visit = doctors.slots(access, { from: after, leadId, first: 20 })',
    }
    expect(findSecondQueries(sources)).toEqual([])
  })

  test('a search that does not find the one query has gone blind', () => {
    expect(findSecondQueries({})).toEqual([expect.stringContaining('src/providers/platform/doctors.ts')])
    expect(findSecondQueries({ 'src/providers/platform/doctors.ts': 'export {}' })).toHaveLength(1)
  })
})

function specifier(from: string, to: string): string {
  return to.includes('/') ? `./${relative(dirname(from), to)}` : to
}

/** A tree in which each of these files imports the other one. */
function importing(pairs: readonly (readonly [string, string, ...string[]])[], form: ImportForm): Readonly<Record<string, string>> {
  const sources: Record<string, string> = {}
  const add = (path: string, text: string): void => void (sources[path] = `${sources[path] ?? ''}${text}`)
  const targets = pairs.map(([, to]) => to).filter((to) => to.includes('/') && !to.includes('not-there'))
  for (const target of new Set(targets)) add(target, 'export const x = 1\n')
  for (const [n, [from, to]] of pairs.entries()) add(from, form(specifier(from, to), n))
  return sources
}

/** Checks a small tree of its own. */
async function checkSources(sources: Readonly<Record<string, string>>) {
  await using directory = await createTempDir()
  for (const [path, source] of Object.entries(sources)) {
    await mkdir(dirname(join(directory.path, path)), { recursive: true })
    await writeFile(join(directory.path, path), source)
  }
  await symlink(resolve('node_modules'), join(directory.path, 'node_modules'))
  await writeFile(
    join(directory.path, 'package.json'),
    JSON.stringify({ type: 'module', dependencies: { ioredis: '*', kafkajs: '*' }, devDependencies: { 'fast-check': '*' } }),
  )
  return checkImportRules(directory.path)
}

describe('what the test files cost', () => {
  const files = (dear: number) =>
    [...Array.from({ length: 99 }, (_, index) => [`tests/${index}.test.ts`, 100] as const), ['tests/dear.test.ts', dear] as const].map(
      ([file, cpuMs]) => ({ file, cpuMs, counts: { passed: 1, failed: 0, skipped: 0 }, failures: [] }),
    )

  test('a file over its share of all is refused, whatever the machine', () => {
    expect(findDearFiles(files(260), {}).faults).toEqual([])
    expect(findDearFiles(files(360), {}).faults).toEqual([
      expect.stringMatching(/^tests\/dear\.test\.ts: 3\.5 % of the workers’ processor time: at most 3\.00;/),
    ])
  })

  test('an exception has its reason, is needed, and is one of five', () => {
    const allowed = { 'tests/dear.test.ts': 'three browsers call each other' }
    expect(findDearFiles(files(360), allowed)).toEqual({
      lines: ['tests/dear.test.ts: 3.5 % of the workers’ processor time, allowed: three browsers call each other'],
      faults: [],
    })
    expect(findDearFiles(files(200), allowed).faults).toEqual([])
    expect(findDearFiles(files(80), allowed).faults).toEqual(['tests/dear.test.ts: it needs no exception'])
    const six = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`tests/${index}.test.ts`, 'dear']))
    expect(findDearFiles(files(200), six).faults).toContain('6 exceptions: at most 5')
  })
})

describe('npm run check', () => {
  const scripts = globSync('tests/check/*.ts')
    .map((path) => basename(path, '.ts'))
    // The tables of pages are a step of the generated code.
    .filter((name) => !['run', 'audit', 'page-tables'].includes(name))

  test('runs one step by its name, with Node 24 also where the system has another one', async () => {
    const { code, output } = await check('access', { PATH: '/usr/bin:/bin' })
    expect(output).toMatch(/^\d+ schema files, 0 faults\n$/)
    expect(code).toBe(0)
  })

  test('has each script of its folder as a step, and names all steps if there is no such step', async () => {
    const { code, output } = await check('none')
    expect(code).toBe(1)
    expect(output).toContain('There is no step "none" of the check. Allowed are lint, types, ')
    for (const name of scripts) expect(output).toMatch(new RegExp(`[ ,]${name}[,;]`))
  })
})

async function check(step: string, environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['tests/check/run.ts', step], { env: { ...process.env, ...environment } })
  const [out, errors, ended] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const exit: readonly unknown[] = ended
  return { code: exit[0], output: out + errors }
}
