import { createClient, inFlight, countByStatus, tokensOf } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { setStage } from '../stage/stage.ts'

const agents = 200
const parallel = 20

/** 200 agents with 20 refreshes each at the same time, through two instances, from as many addresses. */
export async function proveSharedRenewals(): Promise<readonly Figure[]> {
  await using stage = await setStage({ agents })
  await using client = createClient({ addresses: parallel })
  const urls = [(await stage.service('redis')).url, (await stage.service('redis')).url]
  say(`${agents} agents × ${parallel} parallel refreshes`)
  const signedIn = await inFlight(agents, 20, (index) => client.logIn(urls[0] ?? '', `load${index + 1}`))
  const tokens = signedIn.map((answer) => tokensOf(answer).refreshToken)
  await stage.command('platform', 'forget-calls')
  const answers = await Promise.all(
    Array.from({ length: agents * parallel }, (_, index) =>
      client.send(`${urls[index % 2]}/auth/refresh`, { body: { refreshToken: tokens[Math.floor(index / parallel)] } }),
    ),
  )
  const calls = await stage.command('platform', 'calls', { operation: 'renewToken' })
  const renewals = Array.isArray(calls) ? calls.length : Number.NaN
  const pairs = new Set(answers.map(({ body }) => JSON.stringify(body))).size
  const counts = countByStatus(answers)
  return [
    {
      claim: `${agents} agents × ${parallel} parallel refreshes, two instances`,
      figure: `${renewals} renewals at the platform, ${pairs} different pairs of tokens, answers ${JSON.stringify(counts)}`,
      holds: renewals === agents && pairs === agents && counts['200'] === answers.length,
    },
  ]
}
