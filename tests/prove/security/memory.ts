import { hostileShapes } from '../../harness/hostile-json.ts'
import { inFlight } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { startWatchedService } from './watched.ts'

const requests = 150
const most = { heldMb: 30, peakMb: 500 }

/** 150 bodies of 1 MB at once, three times: how much memory the service takes, and how much more it holds when they are answered. */
export async function proveMemory(): Promise<readonly Figure[]> {
  await using service = await startWatchedService()
  const text = hostileShapes.find(({ name }) => name === 'many keys')?.text(1_040_000) ?? ''
  const variables = hostileShapes.find(({ name }) => name === 'many keys')?.text(262_000) ?? ''
  const query = 'mutation($i: AgentLoginInput!) { agentLogin(input: $i) { memberId } }'
  const attacks = [
    { path: '/auth/login', body: text },
    { path: '/auth/refresh', body: text },
    { path: '/graphql', body: `{"query":"${query}","variables":{"i":${variables}}}` },
  ]
  const before = await service.read()
  let peak = before.rssMb
  for (const { path, body } of attacks) {
    say(`${requests} bodies of ${Math.round(body.length / 1_024)} kB to ${path}`)
    const bytes = Buffer.from(body)
    await inFlight(requests, requests, async () => {
      const response = await fetch(service.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: bytes })
      await response.text()
    })
    peak = Math.max(peak, (await service.read()).rssMb)
  }
  const after = await service.read()
  return [
    {
      claim: `${requests} bodies of up to 1 MB at once, to three paths one after another`,
      figure: `memory of the process ${mb(before.rssMb)} before, at most ${mb(peak)} meanwhile; held after a collection of garbage: ${mb(before.heldMb)} before, ${mb(after.heldMb)} after`,
      holds: after.heldMb - before.heldMb <= most.heldMb && peak - before.rssMb <= most.peakMb,
    },
  ]
}

function mb(size: number): string {
  return `${Math.round(size)} MB`
}
