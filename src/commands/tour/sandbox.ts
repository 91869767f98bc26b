import { z } from 'zod'
import { type Answer, type Api, createApi, read, StepFault } from './api.ts'
import { type Account, logIn, signInOf, type Taken } from './session-steps.ts'
import type { StepResult } from './step-result.ts'

const password = 'sandbox-password'
const workspace = 'demo'

/** The agents of the sandbox's first customer. */
export const sandboxAgents: readonly Account[] = [1, 2, 3].map((number) => ({ email: `agent${number}@demo.example`, password, workspace }))
const manager: Account = { email: 'manager@demo.example', password, workspace }

const playedSchema = z.object({ result: z.object({ ucid: z.string(), did: z.string() }) })

/** Simulated calls of the telephony stand-in. */
export type Outside = {
  /** A call begins to ring at the agent. */
  begins(call: {
    readonly from: string
    readonly agentId: string | null | undefined
  }): Promise<{ readonly ucid: string; readonly did: string }>
  goesOn(how: 'answer' | 'hangUp', ucid: string): Promise<void>
}

/** The address of the stand-in comes from the configuration, which a manager can read. Its reports of ended calls go to a new address. */
export async function openOutside(api: Api): Promise<StepResult<Outside>> {
  const token = await managerToken(api)
  const section = z.object({ provider: z.object({ id: z.string(), apiUrl: z.url() }) })
  const { provider } = read(await api.rest('GET', '/api/config/telephony', { token }), 200, section)
  const key = await api.rest('POST', '/api/calls/callback-keys', { token, body: { provider: provider.id } })
  const callbacks = api.address + read(key, 200, z.object({ path: z.string() })).path
  const standIn = createApi(provider.apiUrl, api.until)
  const play = async (command: string, body: unknown): Promise<Answer> => standIn.rest('POST', `/_sandbox/${command}`, { body })
  read(await play('accountMode', { endOfCallUrl: callbacks }), 200, z.unknown())
  const live = z.object({ status: z.string(), problem: z.string().nullable() })
  const { status, problem } = read(await api.rest('GET', '/api/calls/live-events', { token }), 200, live)
  if (status !== 'SUBSCRIBED' && status !== 'PENDING') throw new StepFault(`live events are not subscribed: ${problem}`)
  const outside: Outside = {
    begins: async (call) => read(await play('ring', call), 200, playedSchema).result,
    goesOn: async (how, ucid) => void read(await play(how, { ucid }), 200, z.unknown()),
  }
  return {
    summary: `${provider.id} sends live events, which the service subscribed, and ends of calls to a new address that only it knows`,
    value: outside,
  }
}

/** Ends the oldest of these sessions, as a manager; null if it no longer exists. */
export async function releaseLeftOver(api: Api, taken: readonly Taken[]): Promise<Taken | null> {
  const token = await managerToken(api)
  const listed = z.array(z.object({ agentId: z.string(), lockedAt: z.string() }))
  const sessions = read(await api.rest('GET', '/api/sessions', { token }), 200, listed)
  const [oldest] = taken.toSorted((a, b) => a.lockedAt.localeCompare(b.lockedAt))
  const session = sessions.find(({ lockedAt }) => lockedAt === oldest?.lockedAt)
  if (!session || !oldest) return null
  const path = `/api/sessions/${encodeURIComponent(session.agentId)}`
  const body = { reason: 'The tour needs a free agent' }
  read(await api.rest('DELETE', path, { token, body }), 200, z.object({ released: z.boolean() }))
  return oldest
}

export async function managerToken(api: Api): Promise<string> {
  const answer = await logIn(api, manager)
  if (answer.status === 401) throw new StepFault(`${manager.email} cannot sign in: this is no sandbox; give --email and a password`)
  return signInOf(answer, manager).token
}
