import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { startUpstream, type Upstream } from './upstream.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A program for browsers, with all that it imports, as one minified script whose exports are `program`. */
export async function bundled(path: string): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    envFile: false,
    logLevel: 'error',
    build: {
      target: 'es2022',
      write: false,
      minify: true,
      reportCompressedSize: false,
      lib: { entry: `${root}${path}`, formats: ['iife'], name: 'program' },
    },
  })
  const [chunk] = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []))
  if (chunk?.type !== 'chunk') throw new Error(`${path} is to be one script`)
  return chunk.code
}

/** An empty page with a program, on an origin of its own. */
export function startProgramPage(script: string): Promise<Upstream> {
  return startUpstream(({ path }, response) => {
    const isScript = path === '/program.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' })
    response.end(
      isScript ? script : '<!doctype html><title>Client</title><link rel="icon" href="data:,"><script src="/program.js"></script>',
    )
  })
}
