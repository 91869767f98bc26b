import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import type { Actor } from '../../src/access/actor.ts'
import { valueAt } from '../../src/features/configuration/document-values.ts'
import { saveConfiguration } from '../../src/features/configuration/save-configuration.ts'
import { viewConfiguration } from '../../src/features/configuration/view-configuration.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { noWorkspaces, openConfiguration, sectionSchemas } from '../builders/configuration.ts'
import { testPrincipal } from './gateway.ts'
import type { DocumentStore } from '../../src/ports/documents.ts'

export type SecretRounds = {
  readonly rounds: number
  readonly accepted: number
  readonly unchanged: number
  readonly set: number
  readonly cleared: number
}

const mask = '***masked***'
const target = { workspaceId: 'w1', section: 'telephony' } as const
const secretPaths = [
  ['provider', 'key'],
  ['provider', 'token'],
  ['outbound', 'key'],
  ['outbound', 'token'],
  ['defaultAgentPassword'],
] as const
/** The fields that decide where each secret is sent; a second time, independent of the schemas. */
const destinations: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'provider.key': [
    ['provider', 'id'],
    ['provider', 'url'],
    ['provider', 'account'],
  ],
  'provider.token': [
    ['provider', 'id'],
    ['provider', 'url'],
    ['provider', 'account'],
  ],
  'outbound.key': [
    ['outbound', 'id'],
    ['outbound', 'url'],
    ['outbound', 'account'],
  ],
  'outbound.token': [
    ['outbound', 'id'],
    ['outbound', 'url'],
    ['outbound', 'account'],
  ],
  defaultAgentPassword: [['provider', 'id'], ['provider', 'url'], ['provider', 'account'], ['defaultAgentId']],
}

const newSecret = fc.uuid().map((id) => `secret-${id}`)
const secret = fc.oneof(
  { weight: 4, arbitrary: fc.constant(mask) },
  { weight: 2, arbitrary: newSecret },
  { weight: 1, arbitrary: fc.constant(null) },
)
const line = fc.record(
  {
    id: fc.constant('line'),
    url: fc.constantFrom('https://one.example', 'https://one.example', 'https://two.example'),
    account: fc.constantFrom('acme', 'acme', 'demo'),
    key: secret,
    token: secret,
    mode: fc.constantFrom('A', 'B'),
    tags: fc.array(fc.string({ maxLength: 5 }), { maxLength: 4 }),
  },
  { requiredKeys: [] },
)
const fullLine = fc.record({
  id: fc.constant('line'),
  url: fc.constant('https://one.example'),
  account: fc.constant('acme'),
  key: newSecret,
  token: secret,
})
const other = fc.record({ id: fc.constant('other'), key: fc.oneof(newSecret, fc.constant(mask)) })
const provider = fc.oneof(
  { weight: 5, arbitrary: line },
  { weight: 3, arbitrary: fullLine },
  { weight: 1, arbitrary: other },
  { weight: 1, arbitrary: fc.constant(null) },
)
const odd = fc.constantFrom(
  { unknown: 1 },
  { sip: { unknown: mask } },
  { dispositions: [mask] },
  { did: mask },
  { campaignName: ` ${mask}` },
)
const partial = fc.record(
  {
    provider,
    outbound: provider,
    defaultAgentId: fc.constantFrom('agent1', 'agent1', 'agent2', null),
    defaultAgentPassword: secret,
    campaignName: fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text.trim() !== ''),
    dispositions: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { maxLength: 5 }),
    sip: fc.record({ wsPort: fc.integer({ min: 1, max: 65_535 }) }),
    _meta: fc.anything(),
  },
  { requiredKeys: [] },
)
/** `whole`: merged into the read document, as a form does. */
const round = fc.record({
  whole: fc.boolean(),
  sent: partial,
  odd: fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: odd }),
})

/**
 * Saves generated documents one after another. After each one, every secret must be exactly what the rules say. Throws at the first secret
 * that was lost, overwritten or shown.
 */
export async function runSecretRounds({
  store,
  count,
  seed,
}: {
  store: DocumentStore
  count: number
  seed: number
}): Promise<SecretRounds> {
  const desk = await openDesk(store)
  const { sections, view } = desk
  const given = new Set<string>()
  const counts = { rounds: 0, accepted: 0, unchanged: 0, set: 0, cleared: 0 }

  const run = async ({ whole, sent, odd: oddity }: typeof round extends fc.Arbitrary<infer Round> ? Round : never): Promise<void> => {
    const before = (await sections.load(target)).values
    const document = { ...(whole ? await view() : {}), ...sent, ...oddity }
    for (const path of secretPaths) {
      const text = valueAt(document, path)
      if (typeof text === 'string' && text !== mask) given.add(text)
    }
    const isAccepted = await desk.save(document)
    const after = (await sections.load(target)).values
    counts.rounds += 1
    if (!isAccepted) return mustBe(JSON.stringify(after) === JSON.stringify(before), 'a refused document changed something')
    counts.accepted += 1
    for (const path of secretPaths) counts[checkSecret({ path, before, after, document })] += 1
    const shown = JSON.stringify(await view())
    for (const text of given) mustBe(!shown.includes(text), 'a secret was shown')
    mustBe(!JSON.stringify(after).includes(mask), 'the mask became a value')
    mustBe(await desk.save(await view()), 'a read document could not be saved')
    mustBe(JSON.stringify((await sections.load(target)).values) === JSON.stringify(after), 'saving a read document changed something')
  }

  await fc.assert(fc.asyncProperty(round, run), { numRuns: count, seed, endOnFailure: true })
  return counts
}

type Saved = { readonly path: readonly string[]; readonly before: unknown; readonly after: unknown; readonly document: object }

/** Checks one secret against the rules; returns what happened to it. */
function checkSecret({ path, before, after, document }: Saved): 'unchanged' | 'set' | 'cleared' {
  const name = path.join('.')
  const [was, is, sent] = [valueAt(before, path) ?? null, valueAt(after, path) ?? null, sentAt(document, path)]
  if (typeof sent === 'string' && sent !== mask) {
    mustBe(is === sent, `${name}: sent, but not stored`)
    return 'set'
  }
  const parentIsGone = path.length > 1 && valueAt(after, path.slice(0, 1)) === null
  const isOtherChoice = path.length > 1 && valueAt(after, [path[0] ?? '', 'id']) !== valueAt(before, [path[0] ?? '', 'id'])
  if (sent === null || parentIsGone || isOtherChoice) {
    mustBe(is === null, `${name}: should be null`)
    return 'cleared'
  }
  mustBe(is === was, `${name}: should not have changed`)
  const moved = (destinations[name] ?? []).filter((place) => (valueAt(after, place) ?? null) !== (valueAt(before, place) ?? null))
  const leadsNowhere =
    valueAt(after, ['provider']) === null && name === 'defaultAgentPassword' && !moved.some(([field]) => field === 'defaultAgentId')
  mustBe(is === null || moved.length === 0 || leadsNowhere, `${name}: goes to a new destination, but was not sent again`)
  return 'unchanged'
}

/** Undefined if the document does not contain the path. */
function sentAt(document: object, path: readonly string[]): unknown {
  const parent = valueAt(document, path.slice(0, -1))
  return path.length > 1 && parent === null ? null : valueAt(document, path)
}

async function openDesk(documents: DocumentStore) {
  const { sections } = await openConfiguration({ dataDir: '', store: documents, key: randomBytes(32) })
  const ports = {
    sections,
    schemas: sectionSchemas,
    fingerprintKey: randomBytes(32),
    workspaces: noWorkspaces,
    addressGuard: { faultOf: async () => null },
    log: createLog('silent'),
    audit: {
      entryOf: () => ({ list: '', member: '', score: 0 }),
      record: async () => ({
        id: '',
        order: 0,
        at: '',
        actor: { name: null, userId: '', memberId: null, ip: null },
        action: '',
        target: null,
        details: {},
      }),
      read: async () => [],
      find: async () => ({ entries: [], readTo: null }),
    },
  }
  return {
    sections,
    view: () => viewConfiguration(ports, actor, 'telephony'),
    /** Whether the document was accepted. */
    async save(document: object): Promise<boolean> {
      try {
        await saveConfiguration(ports, actor, { section: 'telephony', document: JSON.parse(JSON.stringify(document)) })
        return true
      } catch (error) {
        if (error instanceof AppError && error.reason === 'INVALID_INPUT') return false
        throw error
      }
    },
  }
}

const actor: Actor = {
  accessToken: 'token',
  principal: testPrincipal({ workspaceId: 'w1', role: 'MANAGER', workspace: 'w1' }),
  clientAddress: '127.0.0.1',
}

function mustBe(condition: boolean, message: string): void {
  if (!condition) throw new Error(message)
}
