import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const usage = `Builds the widget's one file, src/server/widget/widget.js, from src/web/widget/.

  npm run build:widget              builds it
  npm run build:widget -- --check   builds nothing, and fails where the file is not what would be built
`

const page = fileURLToPath(new URL('../web/widget', import.meta.url))
const target = new URL('../server/widget/widget.js', import.meta.url)

/** Browsers that support constructed style sheets and dialogs: all versions since March 2023. */
const browsers = ['chrome111', 'edge111', 'firefox111', 'safari16.4']

/** The bundle. The same sources and packages always give the same bundle. */
async function bundle(): Promise<string> {
  const built = await build({
    root: page,
    configFile: false,
    envFile: false,
    logLevel: 'error',
    build: {
      target: browsers,
      // Without this, esbuild replaces `:dir()` by a list of languages.
      cssTarget: 'esnext',
      write: false,
      minify: true,
      reportCompressedSize: false,
      lib: { entry: `${page}/main.tsx`, formats: ['iife'], name: 'callCenterWidget' },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []))
  const [chunk, ...others] = outputs
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error('the widget is to be one script')
  return chunk.code
}

if (process.argv.includes('--help')) console.log(usage)
else {
  const code = await bundle()
  if (!process.argv.includes('--check')) {
    await writeFile(target, code)
    console.log(`${fileURLToPath(target)}: ${code.length} bytes, ${gzipSync(code, { level: 9 }).length} compressed`)
  } else if (code !== (await readFile(target, 'utf8'))) {
    console.error('src/server/widget/widget.js is not what its sources make: run "npm run build:widget" and commit it.')
    process.exitCode = 1
  }
}
