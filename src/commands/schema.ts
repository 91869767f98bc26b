import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { UsageError, usageMessage } from '../kernel/usage-error.ts'
import { serviceAddress } from './arguments.ts'
import { askPassword } from './ask-password.ts'
import { ownAddress } from './own-address.ts'
import { createApi, read, StepFault } from './tour/api.ts'

const usage = `Prints the combined GraphQL schema of a workspace as SDL, for code generators: GET /schema.graphql of the running service.

  npm run schema -- --workspace <subdomain> [--email <e-mail>] [--out <file>] [--address <address>]

  --workspace   the workspace's subdomain
  --email       a member; the password comes from SCHEMA_PASSWORD, or is asked for. Without it: the manager of the sandbox
  --out         the file to write; default: standard output (then: npm run --silent schema)
  --address     address of the service; default: HOST and PORT of the environment or .env, else 127.0.0.1:4100

Exit code: 0 if the schema was written, 1 if the service refused, 2 for wrong arguments.
`

type Arguments = { readonly workspace: string; readonly email: string | null; readonly out: string | null; readonly address: string }

function readArguments(): Arguments | null {
  const { values } = parseArgs({
    options: {
      workspace: { type: 'string' },
      email: { type: 'string' },
      out: { type: 'string' },
      address: { type: 'string', default: ownAddress() },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return null
  const { workspace, email = null, out = null } = values
  if (workspace === undefined) throw new UsageError('--workspace is required')
  const address = serviceAddress(values.address)
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(address).hostname)
  if (email === null && !isLocal) throw new UsageError('--email is required for a service on another machine: it is no sandbox')
  return { workspace, email, out, address }
}

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })

async function readSdl({ workspace, email, address }: Arguments): Promise<string> {
  const api = createApi(address, AbortSignal.timeout(60_000))
  const member =
    email === null
      ? { email: `manager@${workspace}.example`, password: 'sandbox-password' }
      : { email, password: await askPassword(email, 'SCHEMA_PASSWORD') }
  const signIn = read(await api.rest('POST', '/auth/login', { body: { ...member, workspace } }), 200, signInSchema)
  const { token } = signIn.tokens.accessToken
  try {
    return read(await api.rest('GET', '/schema.graphql', { token }), 200, z.string())
  } finally {
    await api.rest('POST', '/auth/logout', { token, body: {} }).catch(() => null)
  }
}

try {
  const asked = readArguments()
  if (asked === null) process.stdout.write(usage)
  else if (asked.out === null) process.stdout.write(await readSdl(asked))
  else writeFileSync(asked.out, await readSdl(asked))
} catch (error) {
  const message = usageMessage(error)
  console.error(message !== null ? `${message}\n\n${usage}` : error instanceof StepFault ? error.message : error)
  process.exitCode = message !== null ? 2 : 1
}
