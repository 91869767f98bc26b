import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Agent, get } from 'node:https'
import { freePort } from '../../harness/free-port.ts'
import { inFlight } from '../stage/client.ts'
import { type Nginx, startNginx } from '../stage/nginx.ts'

const office = { agents: 200, streams: 2, requests: 30, atOnce: 6 }
/** More than its burst and what it takes in meanwhile. */
const flood = 20_000

/** One address: 200 agents who open their consoles at the same moment, then a flood. The instances behind it answer at once. */
export async function carryOffice(): Promise<string> {
  await using first = await startInstance()
  await using second = await startInstance()
  await using nginx = await startNginx([first.address, second.address])
  const send = createTlsClient(nginx)
  const statuses: number[] = []
  const openConsole = async (): Promise<void> => {
    const streams = Array.from({ length: office.streams }, () => send('/stream'))
    statuses.push(...(await Promise.all(streams)))
    statuses.push(...(await inFlight(office.requests, office.atOnce, () => send('/'))))
  }
  await Promise.all(Array.from({ length: office.agents }, openConsole))
  const refused = statuses.filter((status) => status !== 200)
  if (refused.length > 0)
    throw new Error(`${refused.length} of ${statuses.length} requests of the office got ${[...new Set(refused)].join(', ')}`)
  const flooded = (await inFlight(flood, 100, () => send('/'))).filter((status) => status === 429).length
  if (flooded === 0) throw new Error(`nothing of a flood of ${flood} requests was refused`)
  return `all ${statuses.length} requests of ${office.agents} agents behind one address who open their consoles at once are answered (${office.streams} streams each stay open); of a flood of ${flood} from there ${flooded} are refused`
}

async function startInstance(): Promise<AsyncDisposable & { readonly address: string }> {
  const server = createServer((request, response) => {
    if (request.url === '/stream') response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    else response.end('{}')
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen({ port, host: '127.0.0.1', backlog: 4_096 }, resolve))
  return {
    address: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Resolves to the status. A stream stays open. */
function createTlsClient({ url, caFile }: Nginx): (path: string) => Promise<number> {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(caFile) })
  return (path) =>
    new Promise((resolve, reject) => {
      const outgoing = get(`${url}${path}`, { agent }, (response) => {
        if (path !== '/stream') response.on('end', () => resolve(response.statusCode ?? 0)).resume()
        else resolve(response.statusCode ?? 0)
      })
      outgoing.on('error', reject)
    })
}
