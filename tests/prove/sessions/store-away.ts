import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, createClient, percentile, countByStatus, tokensOf } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { setStage, type Stage } from '../stage/stage.ts'

/** Redis hangs, then goes on: who gets in, how fast others are refused, and how soon all is well. */
export async function proveStoreAway(): Promise<readonly Figure[]> {
  await using stage = await setStage({ agents: 60 })
  await using client = createClient()
  const { url } = await stage.service('redis')
  const logIn = (name: string): Promise<Answer> => client.logIn(url, name)
  const { accessToken, refreshToken } = tokensOf(await logIn('user'))
  await logIn('user')

  say('Redis hangs')
  stage.redis.hang()
  const agents: Answer[] = []
  for (let number = 1; number <= 50; number += 1) agents.push(await logIn(`load${number}`))
  const signedIn = await agentsSignedIn(stage, 50)
  const member = await logIn('user')
  const refreshed = await client.send(`${url}/auth/refresh`, { body: { refreshToken } })
  const query = { query: '{ me { role } leads(first: 1) { totalCount } }' }
  const mixed = await client.send(`${url}/graphql`, { body: query, headers: { authorization: `Bearer ${accessToken}` } })

  say('Redis goes on')
  const backAt = performance.now()
  stage.redis.goOn()
  while ((await logIn('load51')).status !== 200 && performance.now() - backAt < 20_000) await pause(50)
  const wellAfterMs = Math.round(performance.now() - backAt)

  return [
    {
      claim: '50 sign-ins of agents while Redis hangs',
      figure: `${JSON.stringify(countByStatus(agents))}, slowest ${percentile(agents, 1)} ms, median ${percentile(agents, 0.5)} ms; ${signedIn} signed in at the provider`,
      holds: agents.every(({ status }) => status === 503) && percentile(agents, 1) <= 500 && signedIn === 0,
    },
    {
      claim: 'Meanwhile a member without agent record, a refresh, a mixed query',
      figure: `${member.status}, ${refreshed.status}, ${mixed.status}`,
      holds: [member, refreshed, mixed].every(({ status }) => status === 200) && !JSON.stringify(mixed.body).includes('errors'),
    },
    { claim: 'After Redis went on, an agent signs in', figure: `after ${wellAfterMs} ms, without a restart`, holds: wellAfterMs <= 5_000 },
  ]
}

async function agentsSignedIn(stage: Stage, count: number): Promise<number> {
  let signedIn = 0
  for (let number = 1; number <= count; number += 1) {
    const agent = await stage.command('telephony', 'agent', { agentId: `load${number}` })
    if (!JSON.stringify(agent).includes('loggedOut')) signedIn += 1
  }
  return signedIn
}
