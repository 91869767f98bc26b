import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Builds what browsers load, if a source was written since the last build. */
export async function buildIfStale(): Promise<void> {
  await promisify(execFile)(process.execPath, ['src/commands/build.ts', '--stale'])
}
