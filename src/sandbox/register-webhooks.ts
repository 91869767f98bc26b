import { z } from 'zod'
import { type SandboxWorkspace, telephonyAccounts } from './accounts.ts'
import { sandboxPassword, sandboxWorkspaces } from './platform/seed.ts'
import type { TelephonyCommands } from './telephony/commands.ts'

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
const keySchema = z.object({ path: z.string() })

/**
 * What a manager does once at a telephony provider: has the service make an address for callbacks and tells it to the provider, for each
 * workspace. It goes through the service's own door; an address made before stays good for a day. Throws where the service refuses.
 */
export async function sendCallbacksTo(serviceUrl: string, telephony: TelephonyCommands): Promise<void> {
  await Promise.all(
    sandboxWorkspaces.map(async (workspace) => {
      const url = serviceUrl + (await newCallbackPath(serviceUrl, workspace))
      telephony.setCallbackUrl({ account: telephonyAccounts[workspace].userName, callEvents: url, agentEvents: url, endOfCall: url })
    }),
  )
}

async function newCallbackPath(serviceUrl: string, workspace: SandboxWorkspace): Promise<string> {
  const credentials = { email: `manager@${workspace}.example`, password: sandboxPassword, workspace }
  const { tokens } = signInSchema.parse(await post(`${serviceUrl}/auth/login`, credentials))
  const made = await post(`${serviceUrl}/api/calls/callback-keys`, { provider: 'ozonetel' }, tokens.accessToken.token)
  return keySchema.parse(made).path
}

async function post(url: string, body: object, token?: string): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  })
  if (!answer.ok) throw new Error(`${new URL(url).pathname} answered ${answer.status}`)
  return answer.json()
}
