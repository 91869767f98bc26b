import { Redis } from 'ioredis'
import { createClient, inFlight, percentile } from '../prove/stage/client.ts'
import { type Figure, proveParts, say } from '../prove/stage/report.ts'
import { setStage } from '../prove/stage/stage.ts'

// `npm run bench:login`: whole sign-ins of agents (`POST /auth/login`: credentials, tokens, profile, agent record, session lock, provider) before a
// platform and a provider that answer late. Service, stand-ins, Redis and this client are processes of their own and share the machine.

const agents = 200
const atOnce = 4
const platformDelayMs = 50
const providerDelayMs = 150
const targetMs = 400

async function signIns(authentication: 'API_KEY' | 'TOKEN'): Promise<readonly Figure[]> {
  await using stage = await setStage({ agents })
  const isToken = authentication === 'TOKEN'
  await stage.command('telephony', 'accountMode', { mode: isToken ? 'token' : 'apiKey' })
  const service = await stage.service('redis', { OZONETEL_AUTHENTICATION: authentication })
  await stage.command('platform', 'fault', { delayMs: platformDelayMs })
  await stage.command('telephony', 'fault', { delayMs: providerDelayMs })
  await using client = createClient()
  const redis = new Redis(stage.redis.url)
  // The provider's stand-in, like the provider, issues ten tokens an hour. Each of these sign-ins requests one.
  const count = isToken ? 10 : agents
  const [first, ...answers] = await inFlight(count, isToken ? 1 : atOnce, async (index) => {
    const stored = isToken ? await redis.keys('*telephony-token*') : []
    if (stored.length > 0) await redis.del(stored)
    return client.logIn(service.url, `load${index + 1}`)
  })
  redis.disconnect()
  const wrong = [...(first ? [first] : []), ...answers].filter(
    ({ status, body }) => status !== 200 || !JSON.stringify(body).includes('"signedIn":true'),
  )
  if (wrong.length > 0) say(JSON.stringify(wrong[0]))
  const p95 = percentile(answers, 0.95)
  return [
    {
      claim: `${count} sign-ins of agents, ${isToken ? 'one after another, each with a new token of the provider' : `${atOnce} at a time, the provider's account with a key`}; platform ${platformDelayMs} ms, provider ${providerDelayMs} ms; p95 under ${targetMs} ms`,
      figure: `p50 ${percentile(answers, 0.5)} ms, p95 ${p95} ms, slowest ${percentile(answers, 1)} ms; the first one after the start ${Math.round(first?.tookMs ?? 0)} ms; ${wrong.length} failed`,
      holds: p95 < targetMs && wrong.length === 0,
    },
  ]
}

const shiftAgents = 300

/** A shift that signs in at the same moment, behind one address, with the limits of an overload: everybody waits, and nobody is refused. */
async function shift(): Promise<readonly Figure[]> {
  await using stage = await setStage({ agents: shiftAgents })
  await stage.command('telephony', 'accountMode', { mode: 'apiKey' })
  const service = await stage.service('redis', { OZONETEL_AUTHENTICATION: 'API_KEY', OVERLOAD_DELAY_MS: '25' })
  await stage.command('platform', 'fault', { delayMs: platformDelayMs })
  await stage.command('telephony', 'fault', { delayMs: providerDelayMs })
  await using client = createClient()
  const answers = await inFlight(shiftAgents, shiftAgents, (index) => client.logIn(service.url, `load${index + 1}`))
  const refused = answers.filter(({ status }) => status !== 200).length
  return [
    {
      claim: `${shiftAgents} agents sign in at the same moment behind one address; platform ${platformDelayMs} ms, provider ${providerDelayMs} ms; none is refused`,
      figure: `${refused} refused; p50 ${percentile(answers, 0.5)} ms, slowest ${percentile(answers, 1)} ms`,
      holds: refused === 0,
    },
  ]
}

await proveParts('Sign-ins of agents', { key: () => signIns('API_KEY'), token: () => signIns('TOKEN'), shift })
