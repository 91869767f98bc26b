import { parseArgs } from 'node:util'
import { requireSafeTls } from '../kernel/process-safety.ts'
import { UsageError, usageMessage } from '../kernel/usage-error.ts'
import { serviceAddress } from './arguments.ts'
import { askPassword } from './ask-password.ts'
import { diagnose, type Question } from './diagnose/diagnose.ts'
import type { Finding } from './diagnose/finding.ts'
import { loadEnvironment } from '../settings/settings.ts'
import { ownAddress } from './own-address.ts'

const usage = `Checks the settings, every configured partner and what is stored, and says what to do. It changes nothing, and works beside a
running service and without one: it reads a copy of the data directory.

  npm run diagnose [-- --workspace <subdomain>] [--email <e-mail>] [--address <address>] [--json]

  --workspace   only this workspace; default: all of WORKSPACES
  --email       with --workspace: an administrator of it on the platform, who may see its roles. The password comes from
                DIAGNOSE_PASSWORD, or is asked for
  --address     address of the service; default: HOST and PORT of the environment or .env, else 127.0.0.1:4100
  --json        the findings as JSON: { "ok", "findings": [{ "part", "workspace", "state", "found", "action" }] }

Exit code: 0 without errors (there may be warnings), 1 with errors, 2 for wrong arguments.
`

async function readQuestion(): Promise<(Question & { readonly json: boolean }) | null> {
  const { values } = parseArgs({
    options: {
      workspace: { type: 'string' },
      email: { type: 'string' },
      address: { type: 'string', default: ownAddress() },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return null
  const { workspace = null, email, address, json } = values
  if (email !== undefined && workspace === null) throw new UsageError('--email needs --workspace')
  // Without a password it is a finding.
  if (email !== undefined) requireSafeTls(process.env)
  const member = email === undefined ? null : { email, password: await askPassword(email, 'DIAGNOSE_PASSWORD') }
  return { workspace, member, address: serviceAddress(address), json }
}

const marks = { ok: 'ok     ', warning: 'WARNING', error: 'ERROR  ' }

function describe({ part, workspace, state, found, action }: Finding): string {
  const name = workspace === null ? part : `${workspace} ${part}`
  return `${marks[state]} ${name.padEnd(28)} ${found}${action === null ? '' : `\n${' '.repeat(37)}-> ${action}`}`
}

try {
  const question = await readQuestion()
  if (question === null) process.stdout.write(usage)
  else {
    const findings = await diagnose(loadEnvironment(), question)
    const count = (state: Finding['state']): number => findings.filter((finding) => finding.state === state).length
    const isOk = count('error') === 0
    const summary = `${count('error')} errors, ${count('warning')} warnings, ${count('ok')} ok`
    const report = question.json ? JSON.stringify({ ok: isOk, findings }, null, 2) : [...findings.map(describe), '', summary].join('\n')
    // A partner that never answers must not keep the process.
    process.stdout.write(`${report}\n`, () => process.exit(isOk ? 0 : 1))
  }
} catch (error) {
  const message = usageMessage(error)
  console.error(message !== null ? `${message}\n\n${usage}` : error)
  process.exitCode = message !== null ? 2 : 1
}
