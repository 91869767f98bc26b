import { parseArgs } from 'node:util'
import { serviceAddress } from './arguments.ts'
import { requireSafeTls } from '../kernel/process-safety.ts'
import { UsageError, usageMessage } from '../kernel/usage-error.ts'
import { ownAddress } from './own-address.ts'
import { createApi, StepFault } from './tour/api.ts'
import { playDay, type Tour } from './tour/day.ts'
import { createPrinter, type Printer } from './tour/printer.ts'
import type { Account } from './tour/session-steps.ts'

const usage = `Plays an agent's day against a running service, over its public API alone.

  npm run tour -- [address] [--email <e-mail> --workspace <subdomain> --password <password>]

  address       default: HOST and PORT of the environment or .env, else 127.0.0.1:4100
  --email       a real installation's member; without it: an agent of the sandbox
  --workspace   the workspace's subdomain; may be left out where the service serves one
  --password    or TOUR_PASSWORD in the environment

Exit code: 0 where every step went well, 1 where one failed, 2 for a wrong call of the command.
`

const longestMs = 110_000

type Asked = { readonly address: string; readonly account: Account | null }

function readArguments(): Asked | null {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      password: { type: 'string' },
      workspace: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return null
  const [address = ownAddress(), ...more] = positionals
  if (more.length > 0) throw new UsageError(`one address is enough, not also ${more.join(' ')}`)
  const password = values.password ?? process.env['TOUR_PASSWORD']
  if (values.email !== undefined && password === undefined)
    throw new UsageError('--email needs --password, or TOUR_PASSWORD in the environment')
  if (values.email === undefined && (values.password ?? values.workspace) !== undefined)
    throw new UsageError('--password and --workspace go with --email')
  const account =
    values.email !== undefined && password !== undefined ? { email: values.email, password, workspace: values.workspace ?? null } : null
  return { address: serviceAddress(address), account }
}

async function play({ address, account }: Asked, printer: Printer): Promise<boolean> {
  const startedAt = performance.now()
  let stepsDone = 0
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  process.once('SIGTERM', () => interrupted.abort())
  // If the reader of the output exits (`| head`), no session must remain open.
  process.stdout.on('error', () => interrupted.abort())
  const step: Tour['step'] = async (title, run) => {
    const began = performance.now()
    try {
      const result = await run()
      printer.done(title, result, performance.now() - began)
      stepsDone += 1
      return result.value
    } catch (error) {
      printer.failed(title, error instanceof Error ? error.message : String(error))
      throw error
    }
  }
  printer.title(`An agent's day at ${address}${account ? '' : ', in the sandbox'}`)
  try {
    await playDay({
      api: createApi(address, AbortSignal.any([interrupted.signal, AbortSignal.timeout(longestMs)])),
      printer,
      account,
      step,
    })
  } catch (error) {
    printer.end(`The tour stopped after ${stepsDone} steps.`, 'wrong')
    if (!(error instanceof StepFault)) throw error
    return false
  }
  printer.end(`All ${stepsDone} steps went well, in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`, 'well')
  return true
}

try {
  requireSafeTls(process.env)
  const asked = readArguments()
  if (asked === null) process.stdout.write(usage)
  else process.exitCode = (await play(asked, createPrinter(process.stdout))) ? 0 : 1
} catch (error) {
  const message = usageMessage(error)
  process.stderr.write(message !== null ? `${message}\n\n${usage}` : `${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = message !== null ? 2 : 1
}
