import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { createClient, type Client, tokensOf } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { type ServiceProcess, setStage, type Stage } from '../stage/stage.ts'

const most = 20
/** The provider issues ten tokens an hour, and each of these kills costs one. */
const ofToken = 5
/** The steps of a sign-in: which stand-in is called, and which operation hangs while the service is killed. */
const points = [
  { name: 'credentials', standIn: 'platform', operation: 'getLoginTokenFromCredentials', kills: most },
  { name: 'tokens', standIn: 'platform', operation: 'getAuthTokensFromLoginToken', kills: most },
  { name: 'profile', standIn: 'platform', operation: 'currentUser', kills: most },
  { name: 'agent record', standIn: 'platform', operation: 'graphql agents', kills: most },
  { name: 'telephony token', standIn: 'telephony', operation: 'generateToken', kills: ofToken },
  { name: 'provider called', standIn: 'telephony', operation: 'AgentAuthentication', kills: most },
  { name: 'provider signed in', standIn: null, operation: null, kills: most },
  { name: 'answer received', standIn: null, operation: null, kills: most },
] as const
type Point = (typeof points)[number]
const allKills = points.reduce((sum, { kills }) => sum + kills, 0)

/** kill -9 at each step of an agent's sign-in, 5 or 20 times each: afterwards no lock remains and no agent is signed in at the provider. */
export async function proveCrash(): Promise<readonly Figure[]> {
  return [await crashOn('embedded'), await crashOn('redis')]
}

async function crashOn(on: 'embedded' | 'redis'): Promise<Figure> {
  await using stage = await setStage({ agents: allKills })
  await using client = createClient()
  const service = await stage.service(on)
  // Their clients have the answer and would send heartbeats: these sessions last an hour.
  let [answered, agent] = [0, 0]
  for (const point of points) {
    say(`${point.kills} kills (${on}): ${point.name}`)
    for (let kill = 0; kill < point.kills; kill += 1) {
      const name = `load${(agent += 1)}`
      if (await killDuring({ stage, client, service, name }, point)) answered += 1
    }
  }
  say('waiting for the remaining sessions to expire')
  const left = await settle(stage, client, service)
  const live = `${left.sessions} sessions live, ${answered} with a received answer`
  return {
    claim: `kill -9 at ${points.length} points of the sign-in, ${most} times each, at the request of a token ${ofToken} times (${on})`,
    figure: `${allKills} kills; after 2 min: ${live}; ${left.orphans} signed in at the provider without a lock`,
    holds: left.orphans === 0 && left.sessions <= answered,
  }
}

type Scene = { readonly stage: Stage; readonly client: Client; readonly service: ServiceProcess; readonly name: string }

/** Returns true if the client received its answer. */
async function killDuring({ stage, client, service, name }: Scene, { standIn, operation, name: point }: Point): Promise<boolean> {
  if (standIn) await stage.command(standIn, 'fault', { operation, act: 'hang', times: 1 })
  const answering = client.logIn(service.url, name)
  if (standIn) await until(async () => (await callsOf(stage, standIn, operation)) > 0)
  else if (point === 'provider signed in') await until(() => isSignedIn(stage, name))
  else await answering
  await service.kill()
  const { status } = await answering
  if (standIn) {
    await stage.command(standIn, 'clear-faults')
    await stage.command(standIn, 'forget-calls')
  }
  await service.start()
  return status === 200
}

async function callsOf(stage: Stage, standIn: 'platform' | 'telephony', operation: string): Promise<number> {
  const calls = await stage.command(standIn, 'calls', { operation })
  return Array.isArray(calls) ? calls.length : 0
}

async function isSignedIn(stage: Stage, agentId: string): Promise<boolean> {
  return !JSON.stringify(await stage.command('telephony', 'agent', { agentId })).includes('loggedOut')
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 20_000
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error('the point of the kill was never reached')
    await pause(2)
  }
}

const sessionsSchema = z.array(z.object({ agentName: z.string() }))

async function settle(stage: Stage, client: Client, service: ServiceProcess): Promise<{ sessions: number; orphans: number }> {
  await pause(125_000)
  const { accessToken } = tokensOf(await client.logIn(service.url, 'manager'))
  const { body } = await client.send(`${service.url}/api/sessions`, { method: 'GET', headers: { authorization: `Bearer ${accessToken}` } })
  const live = new Set(sessionsSchema.parse(body).map(({ agentName }) => agentName.replace('Load ', 'load')))
  let orphans = 0
  for (let number = 1; number <= allKills; number += 1) {
    if (!live.has(`load${number}`) && (await isSignedIn(stage, `load${number}`))) orphans += 1
  }
  return { sessions: live.size, orphans }
}
