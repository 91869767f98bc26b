import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type Client, createClient, tokensOf } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { setStage, type Stage } from '../stage/stage.ts'

const rounds = 60
const modelMs = 400
const site = 'https://www.hospital.example'
const keySchema = z.object({ key: z.string() })

/** How much later than from the model itself a visitor reads the first word, with a model that takes its time. */
export async function proveFirstWord(): Promise<readonly Figure[]> {
  await using stage = await setStage({ agents: 0 })
  await using client = createClient()
  const { url } = await stage.service('redis')
  const key = await openWidget(client, url)
  await stage.command('models', 'pace', { ms: modelMs })
  await firstWordOf(() => askModel(stage))
  const ownTimes: number[] = []
  const visitorTimes: number[] = []
  const ask = (round: number) => firstWordOf(() => askWidget(url, { key, address: `203.0.113.${round}` }))

  say('the first message after the start, then one after the other')
  await fetch(`${url}/api/widget/config`, { headers: headersOf({ key, address: '203.0.113.200' }) })
  await delay(1_000)
  const first = await ask(200)
  for (let round = 0; round < rounds; round += 1) {
    ownTimes.push(await firstWordOf(() => askModel(stage)))
    visitorTimes.push(await ask(round))
  }
  say('50 visitors in five seconds')
  const together = await Promise.all(
    Array.from({ length: 50 }, async (_, visitor) => {
      await delay(visitor * 100)
      return ask(100 + visitor)
    }),
  )

  const own = percentile(ownTimes, 50)
  const [p50, p95, most] = [percentile(visitorTimes, 50) - own, percentile(visitorTimes, 95) - own, Math.max(...visitorTimes) - own]
  const [many, last] = [percentile(together, 50) - own, Math.max(...together) - own]
  return [
    {
      claim: `First word of a reply, later than the model's own (${own.toFixed(0)} ms), ${rounds} messages`,
      figure: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, most ${most.toFixed(0)} ms; the first after the start, a second after its page was opened, ${(first - own).toFixed(0)} ms`,
      holds: most < 300 && first - own < 300,
    },
    {
      claim: 'The same for 50 visitors in five seconds',
      figure: `p50 ${many.toFixed(0)} ms, most ${last.toFixed(0)} ms`,
      holds: last < 300,
    },
  ]
}

async function openWidget(client: Client, url: string): Promise<string> {
  const headers = { authorization: `Bearer ${tokensOf(await client.logIn(url, 'manager')).accessToken}` }
  const put = (path: string, body: object): Promise<unknown> => client.send(`${url}/api/config/${path}`, { method: 'PUT', headers, body })
  await put('theme', { brand: { hospitalName: 'Sunrise Hospital' } })
  await put('widget', { enabled: true })
  return keySchema.parse((await client.send(`${url}/api/config/widget/keys`, { headers, body: { origins: [site] } })).body).key
}

type Visitor = { readonly key: string; readonly address: string }

function headersOf({ key, address }: Visitor): Record<string, string> {
  return { 'x-widget-key': key, origin: site, 'x-forwarded-for': address }
}

function askWidget(url: string, visitor: Visitor): Promise<Response> {
  const message = { id: randomUUID(), role: 'user', parts: [{ type: 'text', text: 'Hello!' }] }
  return fetch(`${url}/api/widget/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(visitor) },
    body: JSON.stringify({ id: randomUUID(), message }),
  })
}

function askModel({ environment }: Stage): Promise<Response> {
  return fetch(`${environment['OPENAI_COMPATIBLE_URL']}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${environment['OPENAI_COMPATIBLE_API_KEY']}` },
    body: JSON.stringify({ model: environment['AI_MODEL'], stream: true, messages: [{ role: 'user', content: 'Hello!' }] }),
  })
}

/** Milliseconds from asking to the first word. */
async function firstWordOf(ask: () => Promise<Response>): Promise<number> {
  const startedAt = performance.now()
  const response = await ask()
  let read = ''
  let firstAt: number | null = null
  for await (const bytes of response.body ?? []) {
    read += Buffer.from(bytes).toString()
    if (firstAt === null && /"text-delta"|"content":"[^"]/.test(read)) firstAt = performance.now()
  }
  if (firstAt === null) throw new Error(`no word in ${response.status}: ${read.slice(0, 300)}`)
  return firstAt - startedAt
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * share) / 100) - 1)] ?? Number.NaN
}
