import { z } from 'zod'
import type { Asked, World } from '../harness/graphql-and-rest.ts'
import { inSequence, type Scenario, type Scenarios } from './scenario.ts'

const of = (section: string, more: Asked = {}): Asked => ({
  ...more,
  path: { section, ...more.path },
  variables: { section: section.toUpperCase(), ...more.variables },
})
const withDocument = (section: string, document: Readonly<Record<string, unknown>>, version?: number): Asked =>
  of(section, { body: document, variables: { document, ...ifVersion(version).variables }, ...headersOf(version) })
const at = (section: string, version?: number): Asked => of(section, { ...ifVersion(version), ...headersOf(version) })
const ifVersion = (version: number | undefined): Asked => (version === undefined ? {} : { variables: { ifVersion: version } })
const headersOf = (version: number | undefined): Asked => (version === undefined ? {} : { headers: { 'if-match': `"${version}"` } })

const brand = (hospitalName: string) => ({ brand: { hospitalName } })
/** Saves a document and answers its version. */
const saved = async ({ app, manager }: World, section: string, document: unknown): Promise<number> => {
  const { body } = await app.rest('PUT', `/api/config/${section}`, { token: manager.token, body: document })
  const { _meta: meta } = z.looseObject({ _meta: z.looseObject({ version: z.int() }) }).parse(body)
  return meta.version
}

const sections = ['telephony', 'ai', 'widget', 'theme', 'platform']
const reading = (byUser: readonly ('OK' | 'ROLE_MISSING')[]): Scenario => ({
  results: [...sections.map(() => 'OK' as const), ...byUser],
  sample: of('theme'),
  play: (ask, { manager, user }) =>
    inSequence(
      ...sections.map((section) => () => ask(of(section), manager.token)),
      () => ask(of('theme'), user.token),
      () => ask(of('ai'), user.token),
    ),
})

export const configurationScenarios: Scenarios = {
  'GET /api/config/{section}': reading(['OK', 'ROLE_MISSING']),
  'GET /api/config/{section}/schema': reading(['ROLE_MISSING', 'ROLE_MISSING']),
  'GET /api/config/{section}/history': {
    sample: of('theme'),
    results: ['OK', 'OK'],
    play: async (ask, world) => {
      await saved(world, 'theme', brand('City Hospital'))
      return inSequence(
        () => ask(of('theme'), world.manager.token),
        () => ask(of('widget'), world.manager.token),
      )
    },
  },
  'PUT /api/config/{section}': {
    sample: withDocument('theme', brand('City Hospital')),
    results: ['OK', 'OK', 'CHANGED_MEANWHILE', 'INVALID_INPUT', 'INVALID_INPUT'],
    play: async (ask, world) => {
      const version = await saved(world, 'theme', brand('Old Hospital'))
      const { token } = world.manager
      return inSequence(
        () => ask(withDocument('theme', brand('City Hospital')), token),
        () => ask(withDocument('theme', brand('Lake Hospital'), version + 1), token),
        () => ask(withDocument('theme', brand('Hill Hospital'), version), token),
        () => ask(withDocument('theme', { colors: { primary: 'blue' }, more: 1 }), token),
        () => ask(withDocument('ai', { temperature: 9 }), token),
      )
    },
  },
  'POST /api/config/{section}/reset': {
    sample: at('theme'),
    results: ['OK', 'CHANGED_MEANWHILE'],
    play: async (ask, world) => {
      await saved(world, 'theme', brand('City Hospital'))
      return inSequence(
        () => ask(at('theme'), world.manager.token),
        () => ask(at('theme', 1), world.manager.token),
      )
    },
  },
  'GET /api/config/{section}/history/{version}': {
    sample: of('theme', { path: { version: '1' }, variables: { version: 1 } }),
    results: ['OK', 'NOT_FOUND', 'ROLE_MISSING'],
    play: async (ask, world) => {
      const version = await saved(world, 'theme', brand('City Hospital'))
      await saved(world, 'theme', brand('Lake Hospital'))
      const view = (number: number) => of('theme', { path: { version: String(number) }, variables: { version: number } })
      return inSequence(
        () => ask(view(version), world.manager.token),
        () => ask(view(99), world.manager.token),
        () => ask(view(version), world.user.token),
      )
    },
  },
  'POST /api/config/{section}/history/{version}/restore': {
    sample: of('theme', { path: { version: '1' }, variables: { version: 1 } }),
    results: ['OK', 'NOT_FOUND'],
    play: async (ask, world) => {
      const version = await saved(world, 'theme', brand('City Hospital'))
      await saved(world, 'theme', brand('Lake Hospital'))
      const restore = (number: number) => of('theme', { path: { version: String(number) }, variables: { version: number } })
      return inSequence(
        () => ask(restore(version), world.manager.token),
        () => ask(restore(99), world.manager.token),
      )
    },
  },
  'POST /api/config/{section}/test': {
    sample: withDocument('theme', brand('City Hospital')),
    results: ['OK', 'OK', 'INVALID_INPUT'],
    play: (ask, { manager }) =>
      inSequence(
        () => ask(of('telephony'), manager.token),
        () => ask(withDocument('theme', brand('City Hospital')), manager.token),
        () => ask(withDocument('ai', { temperature: 9 }), manager.token),
      ),
  },
}
