import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApp, createConsumer } from './app.ts'
import { isBuilt } from './kernel/built-files.ts'
import { collectWhenIdle } from './kernel/collect-when-idle.ts'
import { claimDataDir } from './kernel/data-dir.ts'
import { createLog } from './kernel/log.ts'
import { openLogOutput } from './kernel/log-output.ts'
import { processWarnings, requireSafeTls } from './kernel/process-safety.ts'
import { StartError } from './kernel/start-error.ts'
import { UsageError } from './kernel/usage-error.ts'
import type { Played } from './sandbox/play.ts'
import { misspelt } from './settings/misspelt.ts'
import { standInParties } from './settings/sandbox.ts'
import { readRole, usage } from './settings/command-line.ts'
import { loadEnvironment, readSettings } from './settings/settings.ts'

/** Settings -> app -> listen -> wait for a signal -> dispose. */
async function main(): Promise<void> {
  // What is written here is for its owner alone, whatever the directory's rights.
  process.umask(0o077)
  const role = readRole(process.argv.slice(2))
  if (role === null) return void process.stdout.write(usage)
  await using stack = new AsyncDisposableStack()
  const environment = loadEnvironment()
  requireSafeTls(environment)
  for (const warning of misspelt(environment)) process.stderr.write(`Warning: ${warning}\n`)
  let played: Played | null = null
  let settings = readSettings(environment, [], role)
  const parties = standInParties(settings)
  if (parties.length === 0) for (const warning of processWarnings()) process.stderr.write(`Warning: ${warning}\n`)
  stack.use(claimDataDir(settings.dataDir))
  if (parties.length > 0) {
    const { play } = await import('./sandbox/play.ts')
    played = stack.use(await play(parties, settings.dataDir))
    const [own, ...further] = played.environments
    const PUBLIC_URL = environment['PUBLIC_URL'] || urlOf(settings.http)
    const ALLOWED_ORIGINS = [...settings.http.allowedOrigins, ...(played.demo ? localOrigins : [])].join(',')
    // In the sandbox, only programs on this machine can connect.
    const METRICS_FROM = environment['METRICS_FROM'] || (played.demo ? 'loopback' : '')
    settings = readSettings({ ...environment, ...own, PUBLIC_URL, ALLOWED_ORIGINS, METRICS_FROM }, further, role)
    // For `npm run diagnose`, which starts no stand-ins of its own.
    const stored = JSON.stringify([{ ...own, PUBLIC_URL }, ...further])
    await writeFile(join(settings.dataDir, 'sandbox-environment.json'), stored, { mode: 0o600 })
    process.stdout.write(`\n${played.describe()}\n`)
  }
  if (!settings.platform.workspaceUrl.includes('{workspace}'))
    process.stdout.write(`PLATFORM_WORKSPACE_URL has no {workspace}: the platform has one workspace, ${settings.workspaces.join()}\n`)
  const output = stack.use(await openLogOutput(settings.logFormat ?? (process.stdout.isTTY ? 'pretty' : 'json'), process.stdout))
  const log = createLog(settings.logLevel, output, settings.tracing !== null)
  // A signal during the start stops the service when it has started.
  const signalled = untilSignal(environment['npm_lifecycle_event'] !== undefined)
  if (role === 'consumer') {
    stack.use(await createConsumer(settings, { log }))
    process.stdout.write('\nConsuming events\n')
  } else {
    const demo = played?.demo ?? null
    const { url } = stack.use(await createApp(settings, demo ? { log, demo } : { log }))
    const widget = demo ? `  Widget    ${url}/widget/demo\n` : ''
    const built = isBuilt('console/index.html') ? `${url}/console` : 'is not built: run "npm run build", then start again'
    process.stdout.write(`\nReady at ${url}\n  Console   ${built}\n  GraphiQL  ${url}/graphql\n  REST      ${url}/docs\n${widget}`)
    void played?.callBack(url).then((message) => message !== null && process.stdout.write(`\n${message}\n`))
  }
  stack.use(collectWhenIdle())
  await signalled
}

/** The sandbox is for developers, whose frontends run on this machine. */
const localOrigins = ['http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*']

function urlOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * Until a signal; under npm also until npm is gone: it does not hand SIGTERM on, and the service would hold its data directory unseen. A
 * second signal ends the process at once.
 */
async function untilSignal(isUnderNpm: boolean): Promise<void> {
  const parent = process.ppid
  await new Promise<void>((resolve) => {
    for (const signal of signals) process.on(signal, () => resolve())
    if (isUnderNpm) setInterval(() => process.ppid !== parent && resolve(), 500).unref()
  })
  // One Ctrl-C comes twice under npm: from the terminal, and from npm.
  setTimeout(() => signals.forEach((signal) => process.removeAllListeners(signal)), 500).unref()
}

const signals = ['SIGINT', 'SIGTERM'] as const

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${reportOf(error)}\n`)
    process.exit(error instanceof UsageError ? 2 : 1)
  },
)

function reportOf(error: unknown): string {
  if (error instanceof StartError || error instanceof UsageError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
