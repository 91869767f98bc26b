import { z } from 'zod'
import { createTestApp } from '../../harness/app.ts'
import { createRunningClock } from '../../harness/clock.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { type Figure, say } from '../stage/report.ts'

const callSchema = z.object({ call: z.object({ phase: z.string() }) })
const agents = ['agent1', 'agent2', 'agent3'] as const
const stepMs = 5_000
const most = { dialSeconds: 65, callSeconds: 5 * 60 + 90 }

/**
 * Three agents' calls end, and the provider reports nothing any more. After how many seconds the first one can dial, and after how many
 * nobody has a live call; on a clock that is moved. Each agent gives the outcome of the call, as agents do.
 */
export async function proveLostWebhook(): Promise<readonly Figure[]> {
  const clock = createRunningClock()
  await using app = await createTestApp({ clock, receivesWebhooks: true })
  const { telephony } = app.standIns
  const tokens = await Promise.all(agents.map(async (agent) => (await app.signIn(`${agent}@demo.example`)).token))
  const phaseOf = async (ucid: string, token: string): Promise<string> =>
    callSchema.parse((await app.rest('POST', '/api/calls/lookup', { token, body: { ucid } })).body).call.phase
  const calls = agents.map((agentId, index) => {
    const { ucid } = telephony.ring({ from: '+919812345670', agentId })
    telephony.answer({ ucid })
    return { ucid, token: tokens[index] ?? '' }
  })
  for (const { ucid, token } of calls) await waitFor(async () => (await phaseOf(ucid, token)) === 'ANSWERED', { deadlineMs: 20_000 })
  telephony.accountMode({ delivery: 'lost' })
  clock.advance(20_000)
  say('three calls end, and nobody reports it')
  const endedAt = clock.now()
  for (const { ucid } of calls) telephony.hangUp({ ucid })
  const [first] = calls
  const body = { disposition: 'Information Given', next: { state: 'READY' } }
  for (const { ucid, token } of calls) await app.rest('POST', `/api/calls/${ucid}/disposition`, { token, body })
  const seconds = async (isDone: () => Promise<boolean>): Promise<number> => {
    await waitFor(async () => (await isDone()) || (clock.advance(stepMs), false), { deadlineMs: 60_000 })
    return Math.round((clock.now() - endedAt) / 1_000)
  }
  const dial = () => app.rest('POST', '/api/calls/dial', { token: first?.token, body: { phoneNumber: '98765 43210' } })
  const dialSeconds = await seconds(async () => (await dial()).status === 200)
  const isOver = async ({ ucid, token }: (typeof calls)[number]) => (await phaseOf(ucid, token)) === 'COMPLETED'
  const callSeconds = await seconds(async () => (await Promise.all(calls.map(isOver))).every(Boolean))
  const reports = telephony.calls('fetchCdrByPagination').filter(({ body: sent }) => sent.includes('demo-account')).length
  return [
    {
      claim: 'the ends of three calls of 20 s are not reported: until the agent can dial again',
      figure: `${dialSeconds} s`,
      holds: dialSeconds <= most.dialSeconds,
    },
    {
      claim: 'the same: until no call is live here',
      figure: `${callSeconds} s, ${reports} reports`,
      holds: callSeconds <= most.callSeconds && reports <= Math.ceil(callSeconds / 60) + 1,
    },
  ]
}
