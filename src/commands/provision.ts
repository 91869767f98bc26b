import { stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { ownAddress } from './own-address.ts'
import { type Api, createApi, read, StepFault } from './tour/api.ts'

const usage = `Makes what a workspace of the platform lacks of the objects, fields and roles that the service uses. It works through the running service,
with the rights of the manager who signs in, changes nothing that exists, and may be run again.

  npm run provision -- --workspace <subdomain> --email <manager's e-mail> [--address <address>] [--plan]

  --workspace   the workspace's subdomain
  --email       a manager of it who may change the data model; the password comes from PROVISION_PASSWORD, else it is asked for
  --address     where the service runs; default: http://127.0.0.1 at PORT (of the environment or .env; else 4100)
  --plan        show what would be made, and make nothing

Exit code: 0 where everything is there (or the plan was shown), 1 where something is left for a person, 2 for a wrong call of the command.
`

class UsageFault extends Error {}

type Asked = { readonly workspace: string; readonly email: string; readonly address: string; readonly planOnly: boolean }

function readArguments(): Asked | null {
  const { values } = parseArgs({
    options: {
      workspace: { type: 'string' },
      email: { type: 'string' },
      address: { type: 'string', default: ownAddress() },
      plan: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return null
  const { workspace, email, address, plan } = values
  if (workspace === undefined || email === undefined) throw new UsageFault('--workspace and --email are needed')
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) throw new UsageFault(`${address} is no http(s) address`)
  return { workspace, email, address: address.replace(/\/+$/, ''), planOnly: plan }
}

async function passwordOf(email: string): Promise<string> {
  const given = process.env['PROVISION_PASSWORD']
  if (given !== undefined && given !== '') return given
  if (!stdin.isTTY) throw new UsageFault('PROVISION_PASSWORD is not set')
  stdout.write(`Password of ${email}: `)
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: stdin, output: unseen, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    stdout.write('\n')
  }
}

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
const provisioningSchema = z.object({
  complete: z.boolean(),
  items: z.array(z.object({ kind: z.string(), name: z.string(), state: z.string(), detail: z.string().nullable() })),
})
type Provisioning = z.output<typeof provisioningSchema>

async function provision(asked: Asked): Promise<boolean> {
  const api = createApi(asked.address, AbortSignal.timeout(10 * 60_000))
  const { workspace, email } = asked
  const credentials = { workspace, email, password: await passwordOf(email) }
  const signIn = read(await api.rest('POST', '/auth/login', { body: credentials }), 200, signInSchema)
  const { token } = signIn.tokens.accessToken
  try {
    const plan = await ask(api, token, false)
    console.log(`The workspace ${workspace} at ${asked.address}:\n${describe(plan)}`)
    return asked.planOnly || isDone(plan) || (await carryOut(api, token))
  } finally {
    await api.rest('POST', '/auth/logout', { token, body: {} })
  }
}

/** One request makes as much as it has time for. */
async function carryOut(api: Api, token: string): Promise<boolean> {
  for (;;) {
    const made = await ask(api, token, true)
    console.log(`\nMade:\n${describe(made)}`)
    if (made.complete) return isDone(made)
    if (!made.items.some(({ state }) => state === 'CREATED')) return false
  }
}

async function ask(api: Api, token: string, apply: boolean): Promise<Provisioning> {
  return read(await api.rest('POST', '/api/setup/provision', { token, body: { apply } }), 200, provisioningSchema)
}

function isDone({ items }: Provisioning): boolean {
  return items.every(({ state }) => state === 'EXISTS' || state === 'CREATED')
}

const words: Readonly<Record<string, string>> = { MISSING: 'missing', CREATED: 'made', DIFFERS: 'differs', FAILED: 'failed' }

function describe({ items }: Provisioning): string {
  const worthSaying = items.filter(({ state }) => state !== 'EXISTS')
  if (worthSaying.length === 0) return `  Everything is there (${items.length} objects, fields and roles).`
  return worthSaying
    .map(({ name, state, detail }) => `  ${(words[state] ?? state).padEnd(8)} ${name}${detail === null ? '' : `: ${detail}`}`)
    .join('\n')
}

try {
  const asked = readArguments()
  if (asked === null) process.stdout.write(usage)
  else process.exitCode = (await provision(asked)) ? 0 : 1
} catch (error) {
  const isUsage = error instanceof UsageFault || (error instanceof TypeError && 'code' in error)
  const isPlain = isUsage || error instanceof StepFault
  console.error(isPlain ? `${error.message}${isUsage ? `\n\n${usage}` : ''}` : error)
  process.exitCode = isUsage ? 2 : 1
}
