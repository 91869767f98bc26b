import { z } from 'zod'
import { type SandboxWorkspace, telephonyAccounts } from './accounts.ts'
import { sandboxPassword, sandboxWorkspaces } from './platform/seed.ts'
import type { TelephonyCommands } from './telephony/commands.ts'

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
const keySchema = z.object({ path: z.string() })

/**
 * The one-time setup of a manager, for each workspace: creates a webhook address in the service and enters it in the account settings of the
 * telephony provider, for reports of ended calls. The provider has no API for it. Live events need no setup: the service subscribes to them.
 * Uses the service's public API. The former address stays valid for a day. Throws if the service refuses.
 */
export async function enterEndOfCallAddress(serviceUrl: string, telephony: TelephonyCommands): Promise<void> {
  await Promise.all(
    sandboxWorkspaces.map(async (workspace) => {
      const url = serviceUrl + (await newWebhookPath(serviceUrl, workspace))
      telephony.accountMode({ account: telephonyAccounts[workspace].userName, endOfCallUrl: url })
    }),
  )
}

async function newWebhookPath(serviceUrl: string, workspace: SandboxWorkspace): Promise<string> {
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
    // A service that has just begun, on a busy machine.
    signal: AbortSignal.timeout(60_000),
  })
  if (!answer.ok) throw new Error(`${new URL(url).pathname} answered ${answer.status}`)
  return answer.json()
}
