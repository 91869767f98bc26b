import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import { freePort } from '../../harness/free-port.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { createChance, playCall } from '../calls/traffic.ts'
import { createClient, inFlight, tokensOf } from '../stage/client.ts'
import { startProcess } from '../stage/processes.ts'
import { bearer } from '../stage/traffic.ts'
import type { Load } from './load.ts'

export type MeasuredService = AsyncDisposable & {
  readonly pid: number
  /** Where and as whom load is sent. */
  readonly target: Pick<Load, 'url' | 'tokens' | 'webhookPath'>
  /** Agents with a session, for sign-outs. */
  readonly leaving: readonly string[]
}

const environmentSchema = z.record(z.string(), z.string())
/** So many agents have a session and send the mix. */
const atWork = 20
/** The service has the first processor core alone; the load and the stand-ins have the second one. */
export const serviceCore = 0
const otherCore = 1

/** As docs/operations.md says for a machine, or a container, with little memory. */
const memoryOptions = '--max-semi-space-size=8 --v8-pool-size=1 --max-old-space-size=320'

/** A service as `npm start` runs it, pinned to a core, and agents who have signed in there. */
export async function startMeasuredService({ leaving: leavers }: { readonly leaving: number }): Promise<MeasuredService> {
  await using starting = new AsyncDisposableStack()
  // Processes that this one starts use the same core.
  await promisify(execFile)('taskset', ['-acp', String(otherCore), String(process.pid)])
  const standInsScript = 'tests/prove/stage/stand-ins-process.ts'
  const standIns = starting.use(await startProcess({ script: standInsScript, args: [String(atWork + leavers)], ready: /^(\{.*\})$/ }))
  const standInSettings = environmentSchema.parse(JSON.parse(standIns.said))
  const { PLATFORM_URL: standInUrl = '', PLATFORM_API_KEY: apiKey = '' } = standInSettings
  const repeating = { script: 'tests/prove/overload/repeating-platform-process.ts', args: [standInUrl, apiKey], ready: /^(\d+)$/ }
  const platform = starting.use(await startProcess(repeating))
  const { path } = starting.use(await createTempDir())
  const url = `http://127.0.0.1:${await freePort()}`
  const environment = {
    ...standInSettings,
    PLATFORM_URL: `http://127.0.0.1:${platform.said}`,
    DATA_DIR: path,
    PORT: new URL(url).port,
    NODE_OPTIONS: `${memoryOptions} ${process.env['PROVE_NODE_OPTIONS'] ?? ''}`,
  }
  const service = starting.use(await startProcess({ script: 'src/main.ts', environment, ready: /Ready at (http\S+)/, core: serviceCore }))
  // A service that is stopped writes its profile, if PROVE_NODE_OPTIONS wants one.
  starting.defer(async () => void (await service.stop()))
  const people = await signPeopleIn(url, leavers)
  await fillLists(`${url}${people.webhookPath}`)
  const running = starting.move()
  return {
    pid: service.pid,
    target: { url, tokens: people.tokens.slice(0, atWork), webhookPath: people.webhookPath },
    leaving: people.tokens.slice(atWork),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function signPeopleIn(url: string, leavers: number) {
  await using client = createClient()
  const headers = bearer(tokensOf(await client.logIn(url, 'manager')).accessToken)
  const key = await client.send(`${url}/api/calls/callback-keys`, { headers, body: { provider: 'ozonetel' } })
  const tokens = await inFlight(atWork + leavers, 4, async (index) => tokensOf(await client.logIn(url, `load${index + 1}`)).accessToken)
  return { tokens, webhookPath: z.object({ path: z.string() }).parse(key.body).path }
}

/** So many calls, one in five of them missed: more than the pages that agents read. */
const earlierCalls = 300

/** Without them an answer would cost more from minute to minute. */
async function fillLists(address: string): Promise<void> {
  const chance = createChance(1)
  await inFlight(earlierCalls, 4, async (index) => {
    const { postings } = playCall(300_001 + index, chance, { beganAt: Date.now() - 600_000, agentId: 'agent3' })
    for (const { contentType, body } of postings) {
      const answer = await fetch(address, { method: 'POST', headers: { 'content-type': contentType }, body })
      if (!answer.ok) throw new Error(`a webhook got ${answer.status}: ${await answer.text()}`)
    }
  })
}
