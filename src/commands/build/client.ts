import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The typed client, `packages/client/dist/`. */
export async function buildClient(): Promise<void> {
  const compiler = fileURLToPath(import.meta.resolve('typescript/package.json').replace('package.json', 'bin/tsc'))
  await promisify(execFile)(process.execPath, [compiler, '--project', 'packages/client/tsconfig.build.json'], { cwd: root })
}
