import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { createTempDir } from '../harness/temp-dir.ts'
import { type ClientProgram, languages } from './clients/languages.ts'
import { folder } from './clients/tools.ts'
import { startProcess } from './stage/processes.ts'
import { type Figure, proveParts } from './stage/report.ts'

// `npm run prove:clients` for all clients, or `-- typescript python java` for some of them. It needs npm, Python 3, a JDK and Maven, and
// fetches the generators once. Each client is generated from /openapi.json, compiled, and plays an agent's call in the sandbox.

const account = { email: 'agent1@demo.example', password: 'sandbox-password' }

/** A lead with a phone number, and a recorded call of the agent. */
async function findFacts(url: string): Promise<readonly [phoneNumber: string, leadId: string, callId: string]> {
  const post = async (path: string, body: object, token?: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
    return (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  const signIn = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
  const { token } = signIn.parse(await post('/auth/login', { ...account, workspace: 'demo' })).tokens.accessToken
  const query = `{ me { agent { id } } leads(first: 20) { edges { node { id phones { primaryPhoneNumber primaryPhoneCallingCode } } } }
    calls(first: 60) { edges { node { id agentId recording { primaryLinkUrl } } } } }`
  const answer = answerSchema.parse(await post('/graphql', { query }, token)).data
  await post('/auth/logout', {}, token)
  const lead = answer.leads.edges.find(({ node }) => node.phones.primaryPhoneNumber !== '')?.node
  const call = answer.calls.edges.find(({ node }) => node.agentId === answer.me.agent.id && Boolean(node.recording?.primaryLinkUrl))?.node
  if (!lead || !call) throw new Error('the sandbox has no lead with a number, or no recorded call of the agent')
  return [`${lead.phones.primaryPhoneCallingCode}${lead.phones.primaryPhoneNumber}`, lead.id, call.id]
}

const edgesOf = <Node extends z.ZodType>(node: Node) => z.object({ edges: z.array(z.object({ node })) })
const answerSchema = z.object({
  data: z.object({
    me: z.object({ agent: z.object({ id: z.string() }) }),
    leads: edgesOf(z.object({ id: z.string(), phones: z.object({ primaryPhoneNumber: z.string(), primaryPhoneCallingCode: z.string() }) })),
    calls: edgesOf(
      z.object({
        id: z.string(),
        agentId: z.string().nullable(),
        recording: z.object({ primaryLinkUrl: z.string().nullable() }).nullable(),
      }),
    ),
  }),
})

/** Runs the program and prints each of its steps. `failure`: its last lines on standard error if it did not end well. */
async function play(
  name: string,
  { program, parameters, cwd }: ClientProgram,
  facts: readonly string[],
): Promise<{ readonly steps: number; readonly failure: string | null }> {
  const child = spawn(program, [...parameters, ...facts], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const errors = text(child.stderr)
  const ended = once(child, 'close')
  let steps = 0
  for await (const line of createInterface(child.stdout)) {
    steps += 1
    console.log(`ok    ${name.padEnd(11)} ${line}`)
  }
  await ended
  return { steps, failure: child.exitCode === 0 ? null : (await errors).trim().slice(-1_000) }
}

async function prove(name: string, document: string, facts: readonly string[]): Promise<Figure> {
  const claim = `${name}: a client generated from /openapi.json compiles and plays an agent's call`
  const generate = languages[name]
  if (!generate) throw new Error(`There is no client ${name}: ${Object.keys(languages).join(', ')}`)
  const program = await generate(document)
  const { steps, failure } = await play(name, program, facts)
  return { claim, figure: `${steps} steps${failure === null ? '' : `, then: ${failure}`}`, holds: failure === null }
}

await using directory = await createTempDir()
const settings = { PORT: '0', DATA_DIR: directory.path, LOG_LEVEL: 'warn', OVERLOAD_DELAY_MS: '0' }
await using service = await startProcess({ script: 'src/main.ts', environment: settings, ready: /Ready at (http:\/\/[\d.:]+)/ })
const document = join(await folder(), 'openapi.json')
await writeFile(document, await (await fetch(`${service.said}/openapi.json`)).text())
const facts = [service.said, account.email, account.password, ...(await findFacts(service.said))]
await proveParts(
  'Generated clients',
  Object.fromEntries(Object.keys(languages).map((name) => [name, async () => [await prove(name, document, facts)]])),
)
await service.stop()
