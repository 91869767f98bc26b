import { parseArgs } from 'node:util'
import { UsageError, usageMessage } from '../kernel/usage-error.ts'

/** What a process does: `service` handles requests, `consumer` consumes events, `all` does both. */
export type Role = 'all' | 'service' | 'consumer'
const roles: readonly Role[] = ['all', 'service', 'consumer']

/** What `npm start -- --help` prints. */
export const usage = `Starts the service. Without PLATFORM_URL it starts with stand-ins for the platform and every provider, on this machine.

  npm start [-- --role=<role>]

  --role   all       requests and events in one process (default)
           service   only requests
           consumer  only events; several can run beside each other, with Redis and Kafka
  --help   this text

Settings come from the environment, or from .env in the working directory. .env.example has all of them, docs/configuration.md explains them.
Exit code: 0 after a stop by a signal, 1 if it cannot start, 2 for wrong arguments.
`

/** Reads the command line; null means that the person wants help. Throws UsageError. */
export function readRole(args: readonly string[]): Role | null {
  const options = { role: { type: 'string', default: 'all' }, help: { type: 'boolean', short: 'h' } } as const
  try {
    const { values } = parseArgs({ args: [...args], options })
    if (values.help) return null
    const role = roles.find((name) => name === values.role)
    if (role === undefined) throw new UsageError(`--role=${values.role}: must be one of ${roles.join(', ')}`)
    return role
  } catch (error) {
    throw new UsageError(`${usageMessage(error) ?? String(error)}\n\n${usage.trimEnd()}`)
  }
}
