import { createApp, createConsumer } from './app.ts'
import { claimDataDir } from './kernel/data-dir.ts'
import { StartError } from './kernel/start-error.ts'
import type { Sandbox } from './sandbox/start.ts'
import { misspelt } from './settings/misspelt.ts'
import { asksForSandbox, loadEnvironment, readRole, readSettings } from './settings/settings.ts'

/** Settings -> app -> listen -> wait for a signal -> dispose. */
async function main(): Promise<void> {
  // What is written here is for its owner alone, whatever the directory's rights.
  process.umask(0o077)
  await using stack = new AsyncDisposableStack()
  const environment = loadEnvironment()
  for (const warning of misspelt(environment)) process.stderr.write(`Warning: ${warning}\n`)
  const role = readRole(process.argv)
  let sandbox: Sandbox | null = null
  let settings = readSettings(environment, [], role)
  stack.use(claimDataDir(settings.dataDir))
  if (asksForSandbox(environment)) {
    const { startSandbox } = await import('./sandbox/start.ts')
    sandbox = stack.use(await startSandbox({ dataDir: settings.dataDir }))
    const played = {
      ...sandbox.environmentOf(sandbox.demoWorkspace),
      ...sandbox.hospital,
      PUBLIC_URL: environment['PUBLIC_URL'] || urlOf(settings.http),
    }
    settings = readSettings({ ...environment, ...played }, [sandbox.environmentOf('acme')], role)
    process.stdout.write(`\n${sandbox.describe()}\n`)
  }
  if (role === 'consumer') {
    stack.use(await createConsumer(settings))
    process.stdout.write('\nConsuming events\n')
  } else {
    const { url } = stack.use(await createApp(settings, sandbox ? { demoWorkspace: sandbox.demoWorkspace } : {}))
    const widget = sandbox ? `  Widget    ${url}/widget/demo\n` : ''
    process.stdout.write(`\nReady at ${url}\n  GraphiQL  ${url}/graphql\n  REST      ${url}/docs\n${widget}`)
    void sandbox?.callBack(url).then((message) => process.stdout.write(`\n${message}\n`))
  }
  await untilSignal(environment['npm_lifecycle_event'] !== undefined)
}

function urlOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Until a signal; under npm also until npm is gone: it does not hand SIGTERM on, and the service would hold its data directory unseen. */
async function untilSignal(isUnderNpm: boolean): Promise<void> {
  const parent = process.ppid
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
    if (isUnderNpm) setInterval(() => process.ppid !== parent && resolve(), 500).unref()
  })
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${reportOf(error)}\n`)
    process.exit(1)
  },
)

function reportOf(error: unknown): string {
  if (error instanceof StartError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
