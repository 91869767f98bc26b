import { setTimeout as pause } from 'node:timers/promises'
import type { ExpectedCall } from '../calls/traffic.ts'
import { type Answer, type Client, countByStatus, createClient, percentile } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { setStage } from '../stage/stage.ts'
import { disposition, playAcknowledged, signPeopleIn, type Telephony, untilWritten } from './acknowledged-calls.ts'

/** Shorter than the deadline of a command, than that of a dead connection, and far longer. */
const hangsMs = [300, 3_000, 15_000]
/** What an operation may take while Redis hangs: some commands of half a second. */
const limitMs = 5_000
const patienceMs = 120_000
const atOnce = 6

type Asked = { readonly name: string; readonly send: () => Promise<Answer> }

/** Redis stops answering (SIGSTOP) while calls come in and agents work, and goes on: nothing acknowledged is lost, and nobody waits for long. */
export async function proveHangingRedis(): Promise<readonly Figure[]> {
  await using stage = await setStage({ agents: 40 })
  await using client = createClient()
  const services = [await stage.service('redis'), await stage.service('redis')]
  const [doomed] = services
  if (!doomed) throw new Error('no service')
  const telephony: Telephony = { stage, client, doomed, ...(await signPeopleIn(client, doomed.url)) }
  const figures: Figure[] = []
  for (const [round, ms] of hangsMs.entries()) figures.push(...(await proveHang(telephony, round, ms)))
  return figures
}

async function proveHang(telephony: Telephony, round: number, hangMs: number): Promise<readonly Figure[]> {
  const { stage, doomed, client } = telephony
  const seconds = `${hangMs / 1_000} s`
  say(`Redis hangs for ${seconds}`)
  const answers = new Map<string, Answer[]>()
  const acknowledged: ExpectedCall[] = []
  const work = { isOver: false }
  let played = 0
  const play = async (): Promise<void> => {
    while (!work.isOver) {
      const index = round * 10_000 + (played += 1)
      let call = await playAcknowledged(telephony, index)
      // What was refused is sent again, as the provider does.
      for (let tries = 0; call === null && tries < 100; tries += 1) {
        await pause(200)
        call = await playAcknowledged(telephony, index)
      }
      if (call) acknowledged.push(call)
    }
  }
  const ask = async ({ name, send }: Asked): Promise<void> => {
    while (!work.isOver) {
      const given = answers.get(name) ?? []
      answers.set(name, [...given, await send()])
      await pause(50)
    }
  }
  const underWay = [...Array.from({ length: atOnce }, play), ...operations(telephony, round).map(ask)]
  await pause(2_000)
  const before = acknowledged.length
  stage.redis.hang()
  await pause(hangMs)
  const during = acknowledged.length - before
  stage.redis.goOn()
  const backAt = performance.now()
  while ((await heartbeat(client, doomed.url, telephony)).status !== 200) await pause(20)
  const backMs = Math.round(performance.now() - backAt)
  await pause(1_000)
  work.isOver = true
  await Promise.all(underWay)
  const wrong = await untilWritten(stage, acknowledged, performance.now() + patienceMs)
  const disposed = acknowledged.filter((call) => call.disposition === disposition).length
  return [
    {
      claim: `Redis hangs for ${seconds} while calls come in: what was acknowledged is in the CRM`,
      figure: `${acknowledged.length} calls, ${disposed} dispositions, ${during} of the calls meanwhile; ${wrong} missing or wrong; works again after ${backMs} ms`,
      holds: acknowledged.length > 0 && wrong === 0 && backMs <= 5_000,
    },
    ...[...answers].map(([name, given]): Figure => {
      const slowest = percentile(given, 1)
      const figure = `${JSON.stringify(countByStatus(given))}, slowest ${slowest} ms`
      const isClear = given.every(({ status }) => status === 200 || status === 503 || status === 409)
      return { claim: `Redis hangs for ${seconds}: ${name}`, figure, holds: isClear && slowest <= limitMs }
    }),
  ]
}

function operations(telephony: Telephony, round: number): readonly Asked[] {
  const { client, doomed, agents } = telephony
  const { url } = doomed
  const headers = { authorization: `Bearer ${agents[0]?.token ?? ''}` }
  let next = round * 12
  return [
    { name: 'sign-ins of agents', send: () => client.logIn(url, `load${((next += 1) % 40) + 1}`) },
    { name: 'heartbeats', send: () => heartbeat(client, url, telephony) },
    { name: 'the worklist', send: () => client.send(`${url}/api/calls/worklist`, { method: 'GET', headers }) },
    {
      name: 'forwarded queries',
      send: () => client.send(`${url}/graphql`, { body: { query: '{ leads(first: 1) { totalCount } }' }, headers }),
    },
    { name: '/health', send: () => client.send(`${url}/health`, { method: 'GET' }) },
    { name: '/ready', send: () => client.send(`${url}/ready`, { method: 'GET' }) },
  ]
}

function heartbeat(client: Client, url: string, { agents }: Telephony): Promise<Answer> {
  return client.send(`${url}/auth/heartbeat`, { body: {}, headers: { authorization: `Bearer ${agents[0]?.token ?? ''}` } })
}
