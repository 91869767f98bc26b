import { z } from 'zod'
import { type Api, createApi, read, StepFault } from './api.ts'
import type { TourLead } from './platform-steps.ts'
import { type Account, logIn, type SignIn, signInOf, type Taken } from './session-steps.ts'
import type { Told } from './told.ts'

const password = 'sandbox-password'
const workspace = 'demo'

/** The agents of the sandbox's first customer. */
export const sandboxAgents: readonly Account[] = [1, 2, 3].map((number) => ({ email: `agent${number}@demo.example`, password, workspace }))
const manager: Account = { email: 'manager@demo.example', password, workspace }

const playedSchema = z.object({ result: z.object({ ucid: z.string(), did: z.string() }) })

/** The telephony stand-in plays a whole answered call of this lead. Where it listens is in the configuration, as a manager reads it. */
export async function callComesIn(api: Api, lead: TourLead, { agent }: SignIn): Promise<Told<{ readonly ucid: string }>> {
  const token = await managerToken(api)
  const section = z.object({ provider: z.object({ apiUrl: z.url() }) })
  const { provider } = read(await api.rest('GET', '/api/config/telephony', { token }), 200, section)
  const body = { from: lead.phoneNumber, agentId: agent?.providerAgentId, talkSeconds: 95 }
  const standIn = createApi(provider.apiUrl, api.until)
  const { result } = read(await standIn.rest('POST', '/_sandbox/inboundCall', { body }), 200, playedSchema)
  return {
    said: `${lead.name} called ${result.did}, talked to ${agent?.name ?? 'the agent'} for 95 s and hung up`,
    facts: { call: result.ucid },
    value: result,
  }
}

/** Ends the oldest of these sessions as a manager would; null where it is gone by now. */
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

async function managerToken(api: Api): Promise<string> {
  const answer = await logIn(api, manager)
  if (answer.status === 401) throw new StepFault(`${manager.email} cannot sign in: this is no sandbox; give --email and a password`)
  return signInOf(answer, manager).token
}
