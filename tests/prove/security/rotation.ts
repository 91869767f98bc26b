import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { createTempDir } from '../../harness/temp-dir.ts'
import { type Client, createClient, tokensOf } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { type ServiceProcess, setStage, type Stage } from '../stage/stage.ts'

const kills = 12
const script = 'src/commands/rotate-secrets-key.ts'
type Environment = Readonly<Record<string, string>>

/** Calls back after so many steps of the command, and gives it the settings with which it is watched. */
type Watch = (steps: number, onStep: () => void) => Promise<AsyncDisposable & { readonly environment: Environment }>
type Case = { readonly name: string; readonly environment: Environment; readonly hasKeyFile: boolean; readonly watch: Watch }

/** The change of the secrets key is killed (SIGKILL) at each of its steps: the service starts with one of the two keys, and a second run finishes. */
export async function proveRotation(): Promise<readonly Figure[]> {
  await using stage = await setStage({ agents: 0, redis: 'durable' })
  await using ofFile = await createTempDir()
  await using ofKey = await createTempDir()
  await using ofRedis = await createTempDir()
  const cases: readonly Case[] = [
    { name: 'a key file', environment: { DATA_DIR: ofFile.path }, hasKeyFile: true, watch: fileWatch(ofFile.path) },
    { name: 'SECRETS_KEY on files', environment: { DATA_DIR: ofKey.path }, hasKeyFile: false, watch: fileWatch(ofKey.path) },
    {
      name: 'SECRETS_KEY on Redis',
      environment: { DATA_DIR: ofRedis.path, REDIS_URL: stage.redis.url },
      hasKeyFile: false,
      watch: relayWatch(stage.redis.port),
    },
  ]
  const figures: Figure[] = []
  for (const one of cases) figures.push(await figureOf(stage, one))
  return figures
}

async function figureOf(stage: Stage, { name, environment, hasKeyFile, watch: watched }: Case): Promise<Figure> {
  await using client = createClient()
  const keyed = (key: string | null): Environment => ({ ...environment, ...(key !== null && { SECRETS_KEY: key }) })
  let key = hasKeyFile ? null : newKey()
  await works(client, await stage.service('embedded', keyed(key)), true)
  let [killed, refused, unfinished] = [0, 0, 0]
  for (let round = 0; round < kills; round += 1) {
    const next = hasKeyFile ? null : newKey()
    const command = { ...stage.environment, ...keyed(key), ...(next !== null && { NEW_SECRETS_KEY: next }) }
    say(`${name}: kill ${round + 1}`)
    if (await runAndKill(command, watched, 1 + (round % 6))) killed += 1
    if (!(await startsWith(stage, client, [...new Set([key, next])].map(keyed)))) refused += 1
    if ((await run(command)).code !== 0) unfinished += 1
    key = next
  }
  if (!(await startsWith(stage, client, [keyed(key)]))) refused += 1
  return {
    claim: `kill -9 while the secrets key is changed: ${name}`,
    figure: `${killed} of ${kills} runs were killed; afterwards ${refused} starts found a key that opens nothing or a secret that cannot be read; ${unfinished} second runs did not finish`,
    holds: killed >= kills / 2 && refused === 0 && unfinished === 0,
  }
}

function newKey(): string {
  return randomBytes(32).toString('base64')
}

/** With one of these, which all but one may refuse; the stored secrets can be used. */
async function startsWith(stage: Stage, client: Client, environments: readonly Environment[]): Promise<boolean> {
  for (const environment of environments) {
    const service = await stage.service('embedded', environment).catch(() => null)
    if (service) return works(client, service, false)
  }
  return false
}

const testSchema = z.object({ checks: z.array(z.looseObject({ name: z.string(), ok: z.boolean() })) })

/** Whether the service uses the stored key of the telephony provider; with `first`, it is stored. Stops it. */
async function works(client: Client, service: ServiceProcess, first: boolean): Promise<boolean> {
  const { accessToken } = tokensOf(await client.logIn(service.url, 'manager'))
  const headers = { authorization: `Bearer ${accessToken}` }
  const section = `${service.url}/api/config/telephony`
  if (first)
    await client.send(section, {
      method: 'PUT',
      headers,
      body: { campaignName: 'Sealed', defaultAgentPassword: 'sealed', defaultAgentId: 'agent9' },
    })
  const stored = JSON.stringify((await client.send(section, { method: 'GET', headers })).body)
  const { checks } = testSchema.parse((await client.send(`${section}/test`, { headers, body: {} })).body)
  await service.stop()
  return stored.includes('"campaignName":"Sealed"') && checks.some(({ name, ok }) => name === 'telephony.access' && ok)
}

async function run(environment: Environment, onStart: (kill: () => void) => void = () => {}) {
  const child = spawn(process.execPath, [script], { env: { PATH: process.env['PATH'], ...environment }, stdio: ['ignore', 'pipe', 'pipe'] })
  onStart(() => child.kill('SIGKILL'))
  const [said] = await Promise.all([text(child.stderr), text(child.stdout), once(child, 'exit')])
  if (child.exitCode !== 0 && child.signalCode === null) say(said)
  return { code: child.exitCode, signal: child.signalCode }
}

/** Whether it was killed before it ended. */
async function runAndKill(environment: Environment, watched: Watch, steps: number): Promise<boolean> {
  let kill = (): void => {}
  await using watching = await watched(steps, () => kill())
  const { signal } = await run({ ...environment, ...watching.environment }, (given) => (kill = given))
  return signal === 'SIGKILL'
}

/** A step is a change of a file. */
function fileWatch(folder: string): Watch {
  return async (steps, onStep) => {
    let seen = 0
    const watcher = watch(folder, { recursive: true }, () => {
      seen += 1
      if (seen === steps) onStep()
    })
    return { environment: {}, [Symbol.asyncDispose]: async () => watcher.close() }
  }
}

/** A step is an answer of Redis, before the command gets it. */
function relayWatch(port: number): Watch {
  return async (steps, onStep) => {
    let seen = 0
    const server = createServer((client) => {
      const redis = connect(port, '127.0.0.1')
      client.pipe(redis).on('error', () => client.destroy())
      client.on('error', () => redis.destroy()).on('close', () => redis.destroy())
      redis.on('data', (chunk) => {
        seen += 1
        if (seen === steps) onStep()
        else client.write(chunk)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const own = typeof address === 'object' && address ? address.port : 0
    return { environment: { REDIS_URL: `redis://127.0.0.1:${own}` }, [Symbol.asyncDispose]: async () => void server.close() }
  }
}
