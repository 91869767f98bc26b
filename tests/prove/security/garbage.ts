import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ownPublicUrl } from '../../harness/connect-telephony.ts'
import { type GarbageFacts, liveCallOf } from '../../harness/garbage-operations.ts'
import { garbage, type Garbage, startGarblingUpstream } from '../../harness/garbling-upstream.ts'
import { type GarbageStage, tryGarbage } from '../../harness/try-garbage.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { type Client, createClient, tokensOf } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { setStage, type Stage } from '../stage/stage.ts'

const settings = { platform: 'PLATFORM_URL', telephony: 'OZONETEL_API_URL' } as const
type Party = keyof typeof settings
/** Of each operation at once, so that the sizes add up. */
const copies = 5
/** The upstream and the clients use the same cores as the service: 50 MB for each of 70 requests hold all of them up. */
const most = { otherMs: 2_000, grownMb: 600 }

/** The platform, then the telephony provider, give garbage: too much, too slowly, without end. Each operation has an answer in its deadline, and memory is bounded. */
export async function proveGarbage(): Promise<readonly Figure[]> {
  return [...(await proveParty('platform')), ...(await proveParty('telephony'))]
}

async function proveParty(party: Party): Promise<readonly Figure[]> {
  await using stage = await setStage({ agents: 0 })
  await using upstream = await startGarblingUpstream(new URL(stage.environment[settings[party]] ?? '').origin)
  await using client = createClient()
  const service = await stage.service('embedded', { ...ownPublicUrl, [settings[party]]: upstream.url })
  const garbled = { url: service.url, upstream, party, longestMs: 33_000, ...(await signPeopleIn(stage, client, service.url)) }
  const memory = watchMemory(service.pid() ?? 0)
  const figures: Figure[] = []
  for (const kinds of [garbage.quick, garbage.large, garbage.slow]) {
    for (const kind of kinds) figures.push(await figureOf(garbled, kind))
  }
  return [...figures, memory.figure(party)]
}

async function figureOf(stage: GarbageStage, kind: Garbage): Promise<Figure> {
  say(`the ${stage.party} answers with ${kind}`)
  const { answers, others, unclear } = await tryGarbage(stage, kind, copies)
  for (const fault of unclear) say(fault)
  const slowest = (given: readonly { tookMs: number }[]): number => Math.round(Math.max(...given.map(({ tookMs }) => tookMs)))
  const failed = others.filter(({ status, text }) => status !== 200 || text.startsWith('{"errors"')).length
  return {
    claim: `the ${stage.party} answers with ${kind}`,
    figure: `${answers.length} requests, slowest ${slowest(answers)} ms, ${unclear.length} without a clear answer; of ${others.length} others ${failed} failed, slowest ${slowest(others)} ms`,
    holds: unclear.length === 0 && failed === 0 && slowest(others) <= most.otherMs,
  }
}

async function signPeopleIn(stage: Stage, client: Client, url: string): Promise<Pick<GarbageStage, 'tokens' | 'facts'>> {
  const signIn = async (name: string) => tokensOf(await client.logIn(url, name))
  const [manager, agent, caller] = [await signIn('manager'), await signIn('agent1'), await signIn('agent3')]
  const headers = { authorization: `Bearer ${manager.accessToken}` }
  const subscribed = async () => JSON.stringify(await stage.command('telephony', 'liveEvents', {})).includes(`"callEvents":"${url}`)
  await waitFor(subscribed, { what: 'the service to subscribe the live events' })
  const { ucid } = z.object({ ucid: z.string() }).parse(await stage.command('telephony', 'ring', liveCallOf))
  const query = '{ calls(first: 60) { edges { node { id recording { primaryLinkUrl } } } } }'
  const recorded = JSON.stringify((await client.send(`${url}/graphql`, { headers, body: { query } })).body)
  const callId = /"id":"([^"]+)","recording":\{"primaryLinkUrl":"http/.exec(recorded)?.[1] ?? ''
  await stage.command('telephony', 'answer', { ucid })
  const own = { method: 'GET', headers: { authorization: `Bearer ${agent.accessToken}` } }
  const current = async () => JSON.stringify((await client.send(`${url}/api/calls/current`, own)).body)
  await waitFor(async () => (await current()).includes('ANSWERED'), { what: 'the live call' })
  const facts: GarbageFacts = { refreshToken: manager.refreshToken, ucid, callId }
  return { facts, tokens: { manager: manager.accessToken, agent: agent.accessToken, caller: caller.accessToken } }
}

/** Of the process, read every 50 ms. */
function watchMemory(pid: number): { figure(party: Party): Figure } {
  const read = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
  const before = read()
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, read())), 50)
  return {
    figure(party) {
      clearInterval(timer)
      const figure = `${Math.round(before)} MB before, at most ${Math.round(peak)} MB`
      return { claim: `memory of the service while the ${party} gives garbage`, figure, holds: peak - before <= most.grownMb }
    },
  }
}
