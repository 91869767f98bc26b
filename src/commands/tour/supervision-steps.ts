import { z } from 'zod'
import { type Api, read } from './api.ts'
import { managerToken } from './sandbox.ts'
import type { SignIn } from './session-steps.ts'
import { clockTime, type StepResult } from './step-result.ts'

const overviewSchema = z.object({
  agents: z.array(z.object({ agentId: z.string(), agentName: z.string(), state: z.string().nullable(), since: z.string().nullable() })),
  callsNow: z.object({ ringing: z.number(), onCall: z.number() }),
  today: z.object({ total: z.object({ calls: z.number(), answered: z.number(), missed: z.number() }) }),
  missedWaiting: z.object({ count: z.number() }),
  freeSlots: z.array(z.object({ doctorName: z.string(), total: z.number(), nextStartsAt: z.string().nullable() })),
})

/** Shows the day so far as a manager sees it, with the state of the agent of the tour. */
export async function managerSeesTheDay(api: Api, agent: SignIn): Promise<StepResult> {
  const answer = await api.rest('GET', '/api/supervisor/overview', { token: await managerToken(api) })
  const { agents, callsNow, today, missedWaiting, freeSlots } = read(answer, 200, overviewSchema)
  const own = agents.find(({ agentId }) => agentId === agent.session?.agentId)
  const { calls, answered, missed } = today.total
  const [doctor] = freeSlots
  return {
    summary: `today ${calls} calls, ${answered} answered and ${missed} missed; ${callsNow.ringing + callsNow.onCall} go on now`,
    facts: {
      agent: own ? `${own.agentName} is ${own.state ?? 'signed in'}${own.since === null ? '' : ` since ${clockTime(own.since)}`}` : null,
      'to call back': String(missedWaiting.count),
      'free slots': doctor ? `${doctor.doctorName} has ${doctor.total}` : 'none',
    },
    value: undefined,
  }
}
