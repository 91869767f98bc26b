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

/** Runs the program and prints each of its steps. Returns whether it ended well. */
async function play(name: string, { program, parameters, cwd }: ClientProgram, facts: readonly string[]): Promise<boolean> {
  const child = spawn(program, [...parameters, ...facts], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const faults = text(child.stderr)
  const ended = once(child, 'close')
  for await (const line of createInterface(child.stdout)) console.log(`ok    ${name.padEnd(11)} ${line}`)
  await ended
  if (child.exitCode !== 0) console.log(`FAIL  ${name.padEnd(11)} ${(await faults).trim().slice(-4_000)}`)
  return child.exitCode === 0
}

async function prove(name: string, document: string, facts: readonly string[]): Promise<boolean> {
  const generate = languages[name]
  if (!generate) throw new Error(`There is no client ${name}: ${Object.keys(languages).join(', ')}`)
  try {
    const program = await generate(document)
    console.log(`ok    ${name.padEnd(11)} generated and compiled`)
    return await play(name, program, facts)
  } catch (error) {
    console.log(`FAIL  ${name.padEnd(11)} ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

await using directory = await createTempDir()
const settings = { PORT: '0', DATA_DIR: directory.path, LOG_LEVEL: 'warn' }
await using service = await startProcess({ script: 'src/main.ts', environment: settings, ready: /Ready at (http:\/\/[\d.:]+)/ })
const document = join(await folder(), 'openapi.json')
await writeFile(document, await (await fetch(`${service.said}/openapi.json`)).text())
const facts = [service.said, account.email, account.password, ...(await findFacts(service.said))]
const named = process.argv.slice(2)
const failed: string[] = []
for (const name of named.length > 0 ? named : Object.keys(languages)) if (!(await prove(name, document, facts))) failed.push(name)
await service.stop()
console.log(failed.length === 0 ? 'Every generated client works.' : `Failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
