import { parseArgs } from 'node:util'
import { z } from 'zod'
import { serviceAddress } from './arguments.ts'
import { requireSafeTls } from '../kernel/process-safety.ts'
import { UsageError, usageMessage } from '../kernel/usage-error.ts'
import { askPassword } from './ask-password.ts'
import { ownAddress } from './own-address.ts'
import { type Api, createApi, read, StepFault } from './tour/api.ts'

const usage = `Creates the objects, fields and roles that the service uses and that a workspace of the platform lacks. It works through the running
service, with the rights of the member who signs in. It changes nothing that exists, and can be repeated. The guide is docs/platform.md.

  npm run provision -- --workspace <subdomain> --email <administrator's e-mail> [--address <address>] [--plan]

  --workspace   the workspace's subdomain
  --email       an administrator of the workspace on the platform; the password comes from PROVISION_PASSWORD, or is asked for
  --address     address of the service; default: HOST and PORT of the environment or .env, else 127.0.0.1:4100
  --plan        show what is missing, and create nothing

Exit code: 0 if everything exists (or the plan was shown), 1 if a person must correct something, 2 for wrong arguments.
`

type Arguments = { readonly workspace: string; readonly email: string; readonly address: string; readonly planOnly: boolean }

function readArguments(): Arguments | null {
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
  if (workspace === undefined || email === undefined) throw new UsageError('--workspace and --email are required')
  return { workspace, email, address: serviceAddress(address), planOnly: plan }
}

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
const provisioningSchema = z.object({
  complete: z.boolean(),
  items: z.array(z.object({ kind: z.string(), name: z.string(), state: z.string(), detail: z.string().nullable() })),
})
type Provisioning = z.output<typeof provisioningSchema>

async function provision({ workspace, email, address, planOnly }: Arguments): Promise<boolean> {
  const api = createApi(address, AbortSignal.timeout(10 * 60_000))
  const credentials = { workspace, email, password: await askPassword(email, 'PROVISION_PASSWORD') }
  const signIn = read(await api.rest('POST', '/auth/login', { body: credentials }), 200, signInSchema)
  const { token } = signIn.tokens.accessToken
  try {
    const plan = await ask(api, token, false)
    console.log(`The workspace ${workspace} at ${address}:\n${describe(plan)}`)
    if (planOnly) return true
    const done = isDone(plan) || (await createMissing(api, token))
    if (done) await sayNextStep(api, token)
    return done
  } finally {
    await api.rest('POST', '/auth/logout', { token, body: {} })
  }
}

const platformSectionSchema = z.object({ apiKey: z.string().nullable() })

async function sayNextStep(api: Api, token: string): Promise<void> {
  const { apiKey } = read(await api.rest('GET', '/api/config/platform', { token }), 200, platformSectionSchema)
  if (apiKey === null) console.log('\nNext: give the service an API key of this workspace (docs/platform.md, step 4).')
}

/** One request creates only what it can create within its deadline. */
async function createMissing(api: Api, token: string): Promise<boolean> {
  for (;;) {
    const result = await ask(api, token, true)
    console.log(`\nCreated:\n${describe(result)}`)
    if (result.complete) return isDone(result)
    if (!result.items.some(({ state }) => state === 'CREATED')) return false
  }
}

async function ask(api: Api, token: string, apply: boolean): Promise<Provisioning> {
  return read(await api.rest('POST', '/api/setup/provision', { token, body: { apply } }), 200, provisioningSchema)
}

function isDone({ items }: Provisioning): boolean {
  return items.every(({ state }) => state === 'EXISTS' || state === 'CREATED')
}

const labels: Readonly<Record<string, string>> = { MISSING: 'missing', CREATED: 'created', DIFFERS: 'differs', FAILED: 'failed' }

function describe({ items }: Provisioning): string {
  const changes = items.filter(({ state }) => state !== 'EXISTS')
  if (changes.length === 0) return `  Everything exists (${items.length} objects, fields and roles).`
  return changes
    .map(({ name, state, detail }) => `  ${(labels[state] ?? state).padEnd(8)} ${name}${detail === null ? '' : `: ${detail}`}`)
    .join('\n')
}

try {
  requireSafeTls(process.env)
  const parsed = readArguments()
  if (parsed === null) process.stdout.write(usage)
  else process.exitCode = (await provision(parsed)) ? 0 : 1
} catch (error) {
  const message = usageMessage(error)
  console.error(message !== null ? `${message}\n\n${usage}` : error instanceof StepFault ? error.message : error)
  process.exitCode = message !== null ? 2 : 1
}
