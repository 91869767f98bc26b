import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The first of these programs that is on PATH. */
export async function findOnPath(names: readonly string[]): Promise<string | null> {
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter((directory) => directory !== '')
  for (const path of names.flatMap((name) => directories.map((directory) => join(directory, name)))) {
    if (await isExecutable(path)) return path
  }
  return null
}

/** CI machines are thrown away afterwards; nothing is ever installed anywhere else. */
export function mayInstall(): boolean {
  return process.env['CI'] === 'true' && process.getuid?.() === 0
}

let last: Promise<unknown> | undefined

/** Installs a Debian package; only where `mayInstall`. */
export async function aptInstall(name: string): Promise<void> {
  // RUNLEVEL=1 keeps the package from starting a service of its own.
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  // One after the other: the package system lets one in at a time.
  last = (last ?? run('apt-get', ['update', '-qq'], { env: environment, timeout: 180_000 })).then(() =>
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env: environment, timeout: 300_000 }),
  )
  await last
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
