import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const page = fileURLToPath(new URL('../../web/widget', import.meta.url))
const target = new URL('../../../dist/widget.js', import.meta.url)

/** Browsers that support constructed style sheets and dialogs: all versions since March 2023. */
const browsers = ['chrome111', 'edge111', 'firefox111', 'safari16.4']

/** The widget, one file: `dist/widget.js`. */
export async function buildWidget(): Promise<void> {
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
  await mkdir(new URL('.', target), { recursive: true })
  await writeFile(target, chunk.code)
}
