import { hostileShapes } from '../../harness/hostile-json.ts'
import { inFlight } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { startWatchedService } from './watched.ts'

const requests = 150
const most = { grownMb: 150, peakMb: 500 }

/** 150 bodies of 1 MB at once, three times: how much memory the service takes, and how much more it has when they are answered. */
export async function proveMemory(): Promise<readonly Figure[]> {
  await using service = await startWatchedService()
  const text = hostileShapes.find(({ name }) => name === 'many keys')?.text(1_040_000) ?? ''
  const bodies = [
    { path: '/auth/login', body: text },
    { path: '/auth/refresh', body: text },
    {
      path: '/graphql',
      body: `{"query":"mutation($i: AgentLoginInput!) { agentLogin(input: $i) { memberId } }","variables":{"i":${text.slice(0, 350_000).replace(/,[^,]*$/, '}')}}}`,
    },
  ]
  const before = (await service.read()).rssMb
  let peak = before
  for (const { path, body } of bodies) {
    say(`${requests} bodies of ${Math.round(body.length / 1_024)} kB to ${path}`)
    const bytes = Buffer.from(body)
    await inFlight(requests, requests, async () => {
      const response = await fetch(service.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: bytes })
      await response.text()
    })
    peak = Math.max(peak, (await service.read()).rssMb)
  }
  const after = (await service.read()).rssMb
  return [
    {
      claim: `${requests} bodies of up to 1 MB at once, to three paths one after another`,
      figure: `${before} MB before, at most ${peak} MB meanwhile, ${after} MB after`,
      holds: after - before <= most.grownMb && peak - before <= most.peakMb,
    },
  ]
}
