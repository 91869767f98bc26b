import { type Answer, createClient, countByStatus } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { setStage } from '../stage/stage.ts'

const guesses = 400

/** A flood of wrong passwords for one account from many addresses, through two instances; the owner; forged address headers. */
export async function proveGuessing(): Promise<readonly Figure[]> {
  await using stage = await setStage({ agents: 5 })
  await using client = createClient()
  const urls = [(await stage.service('redis')).url, (await stage.service('redis')).url]
  const guess = (email: string, number: number): Promise<Answer> =>
    client.send(`${urls[number % 2]}/auth/login`, {
      body: { email, password: `wrong ${number}`, workspace: 'demo' },
      headers: { 'x-forwarded-for': `10.0.0.1, 198.51.100.${number % 250}` },
    })

  say(`${guesses} wrong passwords for one account`)
  const owner = await client.logIn(urls[0] ?? '', 'user', { 'x-forwarded-for': '203.0.113.7' })
  await stage.command('platform', 'forget-calls')
  const flood = await Promise.all(Array.from({ length: guesses }, (_, number) => guess('user@demo.example', number)))
  const calls = await stage.command('platform', 'calls', { operation: 'getLoginTokenFromCredentials' })
  const reached = Array.isArray(calls) ? calls.length : Number.NaN
  const again = await client.logIn(urls[1] ?? '', 'user', { 'x-forwarded-for': '203.0.113.7' })

  say('wrong password and unknown account, in time')
  const times = { wrong: [] as number[], unknown: [] as number[] }
  for (let number = 0; number < 8; number += 1) {
    times.wrong.push((await guess(`load${(number % 4) + 1}@demo.example`, number)).tookMs)
    times.unknown.push((await guess(`nobody${number}@demo.example`, number)).tookMs)
  }
  const mean = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0) / list.length
  const difference = Math.abs(mean(times.wrong) - mean(times.unknown))

  say('200 forged x-forwarded-for headers')
  const strict = await stage.service('redis', { TRUST_PROXY: '192.0.2.1' })
  const first = await client.logIn(strict.url, 'load5', { 'x-forwarded-for': '198.51.100.1' })
  const forged = await Promise.all(
    Array.from({ length: 200 }, (_, number) => client.logIn(strict.url, 'load5', { 'x-forwarded-for': `198.51.100.${number}` })),
  )
  const believed = [first, ...forged].filter(({ body }) => !JSON.stringify(body).includes('"ip":"127.0.0.1"')).length

  return [
    {
      claim: `${guesses} wrong passwords for one account at once, 250 addresses, two instances`,
      figure: `${reached} reached the platform (${JSON.stringify(countByStatus(flood))}); the owner then signs in with ${again.status}`,
      holds: reached === 10 && owner.status === 200 && again.status === 200,
    },
    {
      claim: 'Wrong password and unknown account differ in time by',
      figure: `${difference.toFixed(1)} ms of ${mean(times.wrong).toFixed(0)} ms (8 tries each)`,
      holds: difference < 25,
    },
    { claim: '200 forged x-forwarded-for headers', figure: `${believed} believed`, holds: believed === 0 },
  ]
}
