import { createApp } from './app.ts'
import { asksForSandbox, loadEnvironment, readSettings, SettingsError } from './settings.ts'

/** Settings -> app -> listen -> wait for a signal -> dispose. */
async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const environment = loadEnvironment()
  if (asksForSandbox(environment)) {
    const { startSandbox } = await import('./sandbox/start.ts')
    const sandbox = stack.use(await startSandbox(environment))
    Object.assign(environment, sandbox.environment)
    sandbox.announce()
  }
  const app = stack.use(await createApp(readSettings(environment)))
  const address = await app.listen()
  process.stdout.write(`\nReady at ${address}\n  GraphiQL  ${address}/graphql\n  REST      ${address}/docs\n`)
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(
      `${error instanceof SettingsError || !(error instanceof Error) ? String(error) : (error.stack ?? error.message)}\n`,
    )
    process.exit(1)
  },
)
