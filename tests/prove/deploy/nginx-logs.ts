import { createServer } from 'node:http'
import { request } from 'node:https'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { waitFor } from '../../harness/wait-for.ts'
import { startNginx } from '../stage/nginx.ts'

const secret = 'secret-of-this-test-7f3a'
/** Each with a secret, in the places where clients have one: webhook keys, chats and bookings of visitors, and what a query may have. */
const requests: readonly { readonly method: string; readonly path: string; readonly headers?: Readonly<Record<string, string>> }[] = [
  { method: 'POST', path: `/hooks/telephony/ozonetel/${secret}` },
  { method: 'POST', path: `/hooks/telephony/ozonetel/${secret}?x=${secret}` },
  { method: 'POST', path: `//hooks//telephony/ozonetel/${secret}` },
  { method: 'POST', path: `/%68ooks/telephony/ozonetel/${secret}` },
  { method: 'POST', path: `/HOOKS/telephony/ozonetel/${secret}` },
  { method: 'POST', path: `/x/../hooks/telephony/ozonetel/${secret}` },
  { method: 'POST', path: `/sidecar/hooks/telephony/ozonetel/${secret}` },
  { method: 'POST', path: `/hooks/telephony/ozonetel/${secret}/hooks/` },
  { method: 'POST', path: `/%0a/hooks/telephony/ozonetel/${secret}` },
  { method: 'GET', path: `/sidecar/api/widget/chat/${secret}` },
  { method: 'GET', path: `/api/widget/chat/${secret}` },
  { method: 'DELETE', path: `/api/widget/bookings/${secret}` },
  { method: 'GET', path: `/api/calls/lookup?phoneNumber=${secret}` },
  { method: 'GET', path: `/console/widget-preview?key=${secret}` },
  { method: 'GET', path: '/console', headers: { referer: `https://desk.example.com/?token=${secret}` } },
]

/** A real nginx with an instance that answers, one that is away, and then none at all: its errors name requests too. */
export async function proveNginxLogs(): Promise<string> {
  const upstream = createServer((_request, response) => void response.end('ok')).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const address = upstream.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await using nginx = await startNginx([`127.0.0.1:${port}`, '127.0.0.1:19'])
  const ca = await readFile(nginx.caFile)
  const sendAll = async (): Promise<void> => {
    for (const { method, path, headers } of [...requests, { method: 'GET', path: '/ready' }]) {
      await new Promise<void>((resolve, reject) => {
        const asked = request(`${nginx.url}/`, { ca, method, path, headers: { ...headers } }, (response) =>
          response.resume().once('end', resolve),
        )
        asked.once('error', reject).end()
      })
    }
  }
  await sendAll()
  upstream.close()
  upstream.closeAllConnections()
  await sendAll()
  const count = 2 * (requests.length + 1)
  const logs = await waitFor(
    async () => {
      const found = await nginx.logs()
      return found.access.trim().split('\n').length === count && found
    },
    { what: `${count} lines in the access log` },
  )
  for (const [name, text] of Object.entries(logs)) {
    const line = text.split('\n').find((each) => each.includes(secret))
    if (line !== undefined) throw new Error(`the ${name} log of nginx has a secret: ${line}`)
  }
  if (!logs.access.includes('"GET /ready HTTP/1.1" 502') || !logs.access.includes('"POST /hooks/... HTTP/1.1" 200'))
    throw new Error(`the access log does not show what happened: ${logs.access}`)
  return `nginx writes no webhook key, id of a visitor, query or referrer into its logs (${count} requests, half of them without an instance)`
}
