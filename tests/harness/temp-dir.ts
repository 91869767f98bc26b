import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A directory of the test's own (for DATA_DIR), removed when disposed of. */
export type TempDir = AsyncDisposable & { readonly path: string }

export async function createTempDir(): Promise<TempDir> {
  const path = await mkdtemp(join(tmpdir(), 'sidecar-test-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
}
