import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** The console, `dist/console/`. */
export async function buildConsole(): Promise<void> {
  await build({ configFile: fileURLToPath(new URL('../../web/console/vite.config.ts', import.meta.url)), logLevel: 'error' })
}
