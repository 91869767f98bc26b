import type { Member } from '@call-center-sidecar/client'

const deadlineMs = 10_000

/** The sandbox alone can do that: `src/server/console/demo-call-handler.ts`. Whether the agent's phone rings; never rejects. */
export async function letCustomerCall({ workspace, agent }: Member): Promise<boolean> {
  const body = JSON.stringify({ workspace: workspace.subdomain, providerAgentId: agent?.providerAgentId ?? '' })
  const headers = { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(deadlineMs)
  return fetch('/console/demo/ring', { method: 'POST', headers, body, signal }).then(
    ({ ok }) => ok,
    () => false,
  )
}
