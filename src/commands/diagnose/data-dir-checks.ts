import { constants, existsSync, readdirSync, statSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { checkDisk } from '../../server/operations/health-checks.ts'
import { databases } from '../data-dir-copy.ts'
import { causeOf, failed, type Finding, ok, warning } from './finding.ts'

/** The data directory: who may read it, whether it can be written, and how much room its disk has. */
export async function checkDataDir(dataDir: string): Promise<readonly Finding[]> {
  if (!existsSync(dataDir)) return [warning('data-dir', `${dataDir} does not exist yet`, 'The first start creates it; DATA_DIR names it')]
  const isWritable = await access(dataDir, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable) return [failed('data-dir', `This user may not write ${dataDir}`, 'Give it to the user of the service (chown -R)')]
  return [...accessFindings(dataDir), await diskFinding(dataDir)]
}

function accessFindings(dataDir: string): readonly Finding[] {
  if (process.platform === 'win32') return [ok('data-dir', `${dataDir} can be written; permissions are not checked on Windows`)]
  const open = ['.', 'secrets.key', ...readdirSync(dataDir).filter((name) => databases.some((database) => name.startsWith(database)))]
    .map((name) => join(dataDir, name))
    // A file may go while we look.
    .filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0)
  if (open.length === 0) return [ok('data-dir', `${dataDir} can be written, and only its owner may read it`)]
  const key = open.filter((path) => path.endsWith('secrets.key'))
  const others = open.filter((path) => !key.includes(path))
  return [
    ...key.map((path) => failed('data-dir.key', `Others may read ${path}`, `chmod 600 ${path}; then npm run rotate-secrets-key`)),
    ...(others.length > 0 ? [warning('data-dir', `Others may read ${others.join(', ')}`, `chmod -R go= ${dataDir}`)] : []),
  ]
}

async function diskFinding(dataDir: string): Promise<Finding> {
  const { problem, freeBytes } = await checkDisk(dataDir)
  const free = `${Math.floor(freeBytes / 1_048_576)} MB are free on the disk of ${dataDir}`
  return problem === null ? ok('disk', free) : failed('disk', free, problem)
}

/** Whether the databases are whole; they are only read, also while the service writes them. */
export function checkDatabases(dataDir: string): readonly Finding[] {
  return databases.filter((name) => existsSync(join(dataDir, name))).map((name) => databaseFinding(join(dataDir, name)))
}

function databaseFinding(file: string): Finding {
  const action = 'Stop the service, keep a copy of the file, and restore the last backup (docs/operations.md)'
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 2_000 })
    const verdict = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
    return verdict === 'ok' ? ok('store', `${file} is whole`) : failed('store', `${file} is damaged: ${String(verdict)}`, action)
  } catch (error) {
    return failed('store', `${file} cannot be read: ${error instanceof Error ? error.message : causeOf(error)}`, action)
  }
}
