import { isStale, markBuilt } from './build/freshness.ts'

const usage = `Builds what browsers load, into dist/ and packages/client/dist/.

  npm run build              builds console, widget and client; "npm install" does it too
  npm run build -- --stale   builds only if a source is newer than what was built
`

/** Without the development packages, as in an installation for production, there is nothing to build with. */
async function hasBuilder(): Promise<boolean> {
  return import('vite').then(
    () => true,
    () => false,
  )
}

if (process.argv.includes('--help')) console.log(usage)
else if (!(await hasBuilder()))
  console.log('Nothing is built: the development packages are not installed. To have the console, run "npm install" without --omit=dev.')
else if (!process.argv.includes('--stale') || isStale()) {
  const startedAt = performance.now()
  // Whoever builds: the tests have another value, and React's development build is twice as large.
  process.env['NODE_ENV'] = 'production'
  const [{ buildClient }, { buildConsole }, { buildWidget }] = await Promise.all([
    import('./build/client.ts'),
    import('./build/console.ts'),
    import('./build/widget.ts'),
  ])
  await Promise.all([buildClient(), buildConsole(), buildWidget()])
  markBuilt()
  console.log(`Built console, widget and client in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
}
