import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import type { Actor } from '../../src/access/actor.ts'
import { createValidation } from '../../src/features/configuration/validation.ts'
import { createChangeConfiguration } from '../../src/features/configuration/change-configuration.ts'
import { createConfigurationView } from '../../src/features/configuration/configuration-view.ts'
import { valueAt } from '../../src/features/configuration/document-values.ts'
import { createFingerprint } from '../../src/features/configuration/fingerprint.ts'
import { createSaveConfiguration } from '../../src/features/configuration/save-configuration.ts'
import { createViewConfiguration } from '../../src/features/configuration/view-configuration.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { openConfiguration, sectionSchemas } from '../builders/configuration.ts'
import type { DocumentStore } from '../../src/ports/documents.ts'

export type SecretRounds = {
  readonly rounds: number
  readonly accepted: number
  readonly kept: number
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
/** What decides where each secret is sent: written down here once more, apart from the schemas. */
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
/** `whole`: put over what was read, as a form does. */
const round = fc.record({
  whole: fc.boolean(),
  sent: partial,
  odd: fc.oneof({ weight: 8, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: odd }),
})

/**
 * Saves generated documents one after the other and holds after each that every secret is exactly what the rules say. Throws at the
 * first that was lost, overwritten or shown.
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
  const { documents, view } = desk
  const given = new Set<string>()
  const counts = { rounds: 0, accepted: 0, kept: 0, set: 0, cleared: 0 }

  const run = async ({ whole, sent, odd: oddity }: typeof round extends fc.Arbitrary<infer Round> ? Round : never): Promise<void> => {
    const before = (await documents.load(target)).values
    const document = { ...(whole ? await view() : {}), ...sent, ...oddity }
    for (const path of secretPaths) {
      const text = valueAt(document, path)
      if (typeof text === 'string' && text !== mask) given.add(text)
    }
    const isAccepted = await desk.save(document)
    const after = (await documents.load(target)).values
    counts.rounds += 1
    if (!isAccepted) return mustBe(JSON.stringify(after) === JSON.stringify(before), 'a refused document changed something')
    counts.accepted += 1
    for (const path of secretPaths) counts[holdSecret({ path, before, after, document })] += 1
    const shown = JSON.stringify(await view())
    for (const text of given) mustBe(!shown.includes(text), 'a secret was shown')
    mustBe(!JSON.stringify(after).includes(mask), 'the mask became a value')
    mustBe(await desk.save(await view()), 'what was read could not be put back')
    mustBe(JSON.stringify((await documents.load(target)).values) === JSON.stringify(after), 'putting back what was read changed something')
  }

  await fc.assert(fc.asyncProperty(round, run), { numRuns: count, seed, endOnFailure: true })
  return counts
}

type Held = { readonly path: readonly string[]; readonly before: unknown; readonly after: unknown; readonly document: object }

/** What the rules say must have become of one secret; answers what did. */
function holdSecret({ path, before, after, document }: Held): 'kept' | 'set' | 'cleared' {
  const name = path.join('.')
  const [was, is, sent] = [valueAt(before, path) ?? null, valueAt(after, path) ?? null, sentAt(document, path)]
  if (typeof sent === 'string' && sent !== mask) {
    mustBe(is === sent, `${name}: given anew, but not stored`)
    return 'set'
  }
  const parentIsGone = path.length > 1 && valueAt(after, path.slice(0, 1)) === null
  const isOtherChoice = path.length > 1 && valueAt(after, [path[0] ?? '', 'id']) !== valueAt(before, [path[0] ?? '', 'id'])
  if (sent === null || parentIsGone || isOtherChoice) {
    mustBe(is === null, `${name}: was to be gone`)
    return 'cleared'
  }
  mustBe(is === was, `${name}: was to stay, but is another`)
  const moved = (destinations[name] ?? []).filter((place) => (valueAt(after, place) ?? null) !== (valueAt(before, place) ?? null))
  const leadsNowhere =
    valueAt(after, ['provider']) === null && name === 'defaultAgentPassword' && !moved.some(([field]) => field === 'defaultAgentId')
  mustBe(is === null || moved.length === 0 || leadsNowhere, `${name}: is sent elsewhere without having been given anew`)
  return 'kept'
}

/** Undefined where the document does not say. */
function sentAt(document: object, path: readonly string[]): unknown {
  const parent = valueAt(document, path.slice(0, -1))
  return path.length > 1 && parent === null ? null : valueAt(document, path)
}

async function openDesk(store: DocumentStore) {
  const { documents } = await openConfiguration({ dataDir: '', store, key: randomBytes(32) })
  const actor: Actor = {
    accessToken: 'token',
    principal: {
      userId: 'u1',
      memberId: 'm1',
      workspaceId: 'w1',
      role: 'MANAGER',
      email: 'm@w1.example',
      firstName: 'M',
      lastName: '',
      workspace: 'w1',
      agentId: null,
    },
    clientAddress: '127.0.0.1',
  }
  const schemas = sectionSchemas
  const view = createConfigurationView({ schemas, fingerprint: createFingerprint(randomBytes(32)) })
  const audit = {
    record: async () => ({ id: '', at: '', actor: { userId: '', memberId: null, ip: null }, action: '', target: null, details: {} }),
    read: async () => ({ entries: [], nextCursor: null }),
  }
  const accept = createValidation({ schemas, ownerOfApiKey: async () => null, faultOfAddress: async () => null })
  const change = createChangeConfiguration({ documents, view, audit, log: createLog('silent') })
  const saveConfiguration = createSaveConfiguration({ change, schemas, accept })
  const viewConfiguration = createViewConfiguration({ documents, view })
  return {
    documents,
    view: () => viewConfiguration(actor, 'telephony'),
    /** Whether it was accepted. */
    async save(document: object): Promise<boolean> {
      try {
        await saveConfiguration(actor, { section: 'telephony', document: JSON.parse(JSON.stringify(document)) })
        return true
      } catch (error) {
        if (error instanceof AppError && error.reason === 'INVALID_INPUT') return false
        throw error
      }
    },
  }
}

function mustBe(condition: boolean, fault: string): void {
  if (!condition) throw new Error(fault)
}
