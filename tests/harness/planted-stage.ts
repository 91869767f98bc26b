import { setTimeout as pause } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { createLog } from '../../src/kernel/log.ts'
import { telephonyAccounts } from '../../src/sandbox/accounts.ts'
import { startSandbox } from '../../src/sandbox/start.ts'
import { playCall } from '../prove/calls/traffic.ts'
import type { Operation } from '../prove/fuzz/description.ts'
import { type HostileUpstream, startHostileUpstream } from './hostile-upstream.ts'
import { startOtlpCollector } from './otlp-collector.ts'
import { storedDeadLetters } from './stored-dead-letters.ts'
import { startApp } from './start-app.ts'
import { createTempDir } from './temp-dir.ts'
import { waitFor } from './wait-for.ts'
import { site } from './widget-desk.ts'

const upstreamSettings = [
  'PLATFORM_URL',
  'OZONETEL_API_URL',
  'OZONETEL_EVENTS_URL',
  'EXOTEL_URL',
  'OPENAI_COMPATIBLE_URL',
  'OPENAI_URL',
  'ANTHROPIC_URL',
  'GOOGLE_URL',
  'DEEPGRAM_URL',
] as const
const secretSettings = /KEY|TOKEN|PASSWORD/

const plantedNotes = 'planted notes: chest pain since monday'

/** What fields of requests get: secrets, and facts about a person. */
export const plantedFields: readonly (readonly [name: string, fields: RegExp, value: string])[] = [
  ['a password', /password/i, 'Planted-Pass-71c4e9'],
  ['a name', /^(name|firstName|lastName)$/, 'Plantedname Raghavan'],
  ['an e-mail address', /^email$/i, 'planted.person@demo.example'],
  ['notes', /^notes$/, plantedNotes],
  ['a message', /^(text|message|reason|additionalContext)$/, 'planted message: my report is bad'],
  ['a token', /token$/i, 'planted.token.b7d1f0a9c3e8'],
  ['a key', /^(key|apiKey)$/, 'planted-key-5e0d9b7a2c'],
  ['a phone number', /phone/i, '+919812345670'],
]

/** Settings whose values no stand-in knows. */
const ownSecrets = {
  OZONETEL_AGENT_PASSWORD: 'planted-agent-pass-92d1',
  OPENAI_API_KEY: 'sk-planted-openai-77ae01',
  ANTHROPIC_API_KEY: 'sk-ant-planted-41cc9e',
  GOOGLE_API_KEY: 'AIza-planted-80b2d4',
}
const collectorKey = 'planted-collector-3b9f'

/** A service all of whose secrets are known, with hostile upstreams before the stand-ins. */
export async function setPlantedStage() {
  await using setting = new AsyncDisposableStack()
  const { path: dataDir } = setting.use(await createTempDir())
  const sandbox = setting.use(await startSandbox({ dataDir: null }))
  const collector = setting.use(await startOtlpCollector())
  const { upstreams, addresses } = await startUpstreams(sandbox.environmentOf('demo'), setting)
  const environment = { ...sandbox.environmentOf('demo'), ...sandbox.hospital, ...addresses, ...ownSecrets }
  const own = {
    DATA_DIR: dataDir,
    PORT: '0',
    SECRETS_KEY: randomBytes(32).toString('base64'),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector-key=${collectorKey}`,
    METRICS_FROM: 'loopback',
  }
  const secrets = new Map<string, string>(plantedFields.map(([name, , value]) => [name, value]))
  for (const [name, value] of Object.entries(environment)) if (secretSettings.test(name)) secrets.set(name, value)
  secrets.set('SECRETS_KEY', own.SECRETS_KEY).set('OTEL_EXPORTER_OTLP_HEADERS', collectorKey)
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => void lines.push(line), onLost: () => {} }, true)
  const app = setting.use(await startApp({ ...environment, ...own }, { log, demo: sandbox.demo }))
  /** Those that the service gave to their owners. */
  const given = new Set<string>()
  const people = await signPeopleIn(app.url, { secrets, given })
  const running = setting.move()
  const models = upstreams[upstreamSettings.indexOf('OPENAI_COMPATIBLE_URL')]
  /** A call whose insight the model refuses for good, with all that it was sent. */
  const makeDeadLetter = async (): Promise<void> => {
    if (models) models.answers = 'refuses with 400'
    const { platform, telephony } = sandbox.standIns
    const [lead = {}] = platform.records('demo', 'lead')
    const { ucid } = telephony.inboundCall({ from: '+919820011111', agentId: telephonyAccounts.demo.agents[0]?.id ?? '' })
    const outcome = { disposition: 'Information Given', leadId: lead['id'], notes: plantedNotes }
    await people.dispose(ucid, outcome)
    await waitFor(() => storedDeadLetters(dataDir).some((stored) => stored.includes('MODEL_REFUSED')), { what: 'the dead letter' })
    if (models) models.answers = null
  }
  const deadLetters = (): readonly string[] => storedDeadLetters(dataDir)
  return {
    app,
    people,
    secrets,
    given,
    upstreams,
    lines,
    collector,
    makeDeadLetter,
    deadLetters,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function startUpstreams(environment: Readonly<Record<string, string>>, stack: AsyncDisposableStack) {
  const upstreams: HostileUpstream[] = []
  const addresses: Record<string, string> = {}
  for (const name of upstreamSettings) {
    // Vendors of models without a stand-in: that of the compatible one refuses their requests.
    const { origin, pathname } = new URL(environment[name] ?? environment['OPENAI_COMPATIBLE_URL'] ?? '')
    const upstream = stack.use(await startHostileUpstream(origin))
    upstreams.push(upstream)
    addresses[name] = upstream.url + (pathname === '/' ? '' : pathname)
  }
  return { upstreams, addresses }
}

const signInSchema = z.looseObject({
  tokens: z.object({ accessToken: z.object({ token: z.string() }), refreshToken: z.object({ token: z.string() }) }),
})

const callsSchema = z.object({ data: z.object({ calls: z.object({ edges: z.array(z.object({ node: z.object({ id: z.string() }) })) }) }) })

type Learned = { readonly secrets: Map<string, string>; readonly given: Set<string> }
type Sent = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

/** A manager, an agent, a visitor and the provider, with what they need. Their secrets are added. */
async function signPeopleIn(url: string, learned: Learned) {
  const send = async (method: string, path: string, { body, headers = {} }: Sent = {}): Promise<string> => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(url + path, { method, headers: { 'content-type': 'application/json', ...headers }, ...content })
    return answer.text()
  }
  const signIn = async (name: string): Promise<Readonly<Record<string, string>>> => {
    const text = await send('POST', '/auth/login', {
      body: { email: `${name}@demo.example`, password: 'sandbox-password', workspace: 'demo' },
    })
    learnSecrets(learned, text)
    const signedIn = signInSchema.safeParse(JSON.parse(text))
    if (!signedIn.success) throw new Error(`A sign-in was refused: ${text}`)
    const { accessToken } = signedIn.data.tokens
    return { authorization: `Bearer ${accessToken.token}` }
  }
  let manager = await signIn('manager')
  let agent = await signIn('agent1')
  const { key } = z
    .object({ key: z.string() })
    .parse(JSON.parse(await send('POST', '/api/config/widget/keys', { body: { origins: [site] }, headers: manager })))
  const webhook = z
    .looseObject({ path: z.string() })
    .parse(JSON.parse(await send('POST', '/api/calls/callback-keys', { body: { provider: 'ozonetel' }, headers: manager })))
  for (const [name, value] of [
    ['the widget key', key],
    ['the webhook key', webhook.path.split('/').at(-1) ?? ''],
  ] as const) {
    learned.secrets.set(name, value)
    learned.given.add(value)
  }
  const answer = await send('POST', '/graphql', { body: { query: '{ calls(first: 3) { edges { node { id } } } }' }, headers: manager })
  const { calls } = callsSchema.parse(JSON.parse(answer)).data
  let visits = 0
  return {
    /** What each sends with their requests. */
    headers: () => ({ manager, agent, nobody: {} }),
    /** After requests that ended their sessions. */
    async signInAgain(): Promise<void> {
      // The breaker of the platform may be open for some seconds.
      manager = await waitFor(() => signIn('manager').catch(() => pause(250, null)), { what: 'a sign-in' })
      await send('POST', '/auth/logout', { body: {}, headers: agent })
      agent = await signIn('agent1')
    },
    async dispose(ucid: string, body: object): Promise<void> {
      const answer = await send('POST', `/api/calls/${ucid}/disposition`, { body, headers: agent })
      if (!answer.includes('ucid')) throw new Error(`the disposition was refused: ${answer}`)
    },
    calls: calls.edges.map(({ node }) => node.id),
    credentials({ path, description }: Pick<Operation, 'path' | 'description'>): Readonly<Record<string, string>> {
      if (!path.startsWith('/api/widget/')) return description.includes('role MANAGER') ? manager : agent
      visits += 1
      return { origin: site, 'x-widget-key': key, 'x-forwarded-for': `198.51.${Math.trunc(visits / 250)}.${visits % 250}` }
    },
    /** Has the platform confirm the tokens, for the next minute. */
    async confirm(): Promise<void> {
      await Promise.all([manager, agent].map((headers) => send('GET', '/auth/me', { headers })))
    },
    /** Webhooks of a call: as the provider sends them, and damaged. */
    async sendWebhooks(number: number): Promise<void> {
      const { postings } = playCall(number, () => 0.5, { beganAt: Math.floor(Date.now() / 1_000) * 1_000, agentId: 'agent1' })
      for (const { contentType, body } of postings) {
        for (const sent of [body, body.slice(0, -9)])
          await fetch(url + webhook.path, { method: 'POST', headers: { 'content-type': contentType }, body: sent })
      }
    },
    /** Operations of each kind, with secrets in variables and in the text. Resolves to the answers. */
    askGraphql: () =>
      Promise.all(graphqlRequests.map((body) => send('POST', '/graphql?key=planted-key-5e0d9b7a2c', { body, headers: agent }))),
  }
}

const text = plantedFields.map(([, , value]) => value).join(' ')
const graphqlRequests = [
  { query: 'query ($text: String) { leads(filter: { name: { eq: $text } }) { edges { node { id } } } }', variables: { text } },
  {
    query: 'query ($text: String!) { me { role } leads(filter: { name: { eq: $text } }) { edges { node { id insight { summary } } } } }',
    variables: { text },
  },
  { query: `mutation { agentLogin(input: { email: "planted.person@demo.example", password: "${text}", workspace: "demo" }) { role } }` },
  { query: `{ me(key: "${text}") { role } ` },
  { query: 'query ($text: Int!) { callLookup(ucid: $text) { ucid } }', variables: { text } },
  {
    query: 'mutation ($text: String!) { signIn(email: $text, password: $text) { tokens { accessToken { token } } } }',
    variables: { text },
  },
]

/** Adds what an answer gave to its receiver alone: tokens and passwords. */
export function learnSecrets({ secrets, given }: Learned, answer: string): void {
  if (!/token|password/i.test(answer)) return
  JSON.parse(answer, (name, value: unknown) => {
    if (
      /password$|^token$/i.test(name) &&
      typeof value === 'string' &&
      value.length > 11 &&
      value !== '***masked***' &&
      secrets.size < 400
    ) {
      secrets.set(`${name} ${secrets.size}`, value)
      given.add(value)
    }
    return value
  })
}
