import { execFile, type ExecFileException } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../src/kernel/clock.ts'
import { createSqliteOutbox } from '../../src/providers/broker/sqlite-outbox.ts'
import { createTestApp } from '../harness/app.ts'
import { childEnvironment } from '../harness/child-environment.ts'
import { ask } from '../harness/instances.ts'
import { startServiceProcess } from '../harness/service-process.ts'
import { createTempDir } from '../harness/temp-dir.ts'

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string }

function backUp(dataDir: string, ...options: readonly string[]): Promise<Ran> {
  const env = { ...childEnvironment, DATA_DIR: dataDir }
  return new Promise((resolve) => {
    execFile(process.execPath, ['src/commands/backup.ts', ...options], { env }, (error: ExecFileException | null, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    )
  })
}

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
const path = '/api/config/telephony'

async function setClaimMinutes(url: string, claimMinutes: number): Promise<void> {
  const token = await managerToken(url)
  const { body } = await ask(url, path, { token })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const saved = await fetch(url + path, { method: 'PUT', headers, body: JSON.stringify(Object.assign({}, body, { claimMinutes })) })
  expect(saved.status).toBe(200)
}

const memberOf = (name: string) => ({ email: `${name}@demo.example`, password: 'sandbox-password', workspace: 'demo' })

async function managerToken(url: string): Promise<string> {
  const { body } = await ask(url, '/auth/login', { body: memberOf('manager') })
  return signInSchema.parse(body).tokens.accessToken.token
}

test('a backup of a running service is a data directory with which another starts', async () => {
  await using folder = await createTempDir()
  const [dataDir, copy] = [join(folder.path, 'data'), join(folder.path, 'copy')]
  await addEventAndDeadLetter(dataDir)
  {
    await using service = await startServiceProcess({ DATA_DIR: dataDir, PORT: '0' })
    expect(await ask(service.url, '/auth/login', { body: memberOf('agent1') })).toMatchObject({ status: 200 })
    await setClaimMinutes(service.url, 17)
    // It writes to the store during the copy.
    const writing = Array.from({ length: 20 }, () => ask(service.url, '/auth/login', { body: { ...memberOf('x'), password: 'wrong' } }))
    const [{ code, stdout }] = await Promise.all([backUp(dataDir, '--to', copy), ...writing])
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/ has configuration, .*outbox.sqlite, .*secrets.key, .*store.db.*, checked\.\n$/),
    ])
    // Nothing that the service has written can be read by others.
    const written = await readdir(dataDir, { recursive: true })
    const modes = await Promise.all(written.map(async (name) => [name, (await stat(join(dataDir, name))).mode & 0o077]))
    expect(modes.filter(([, mode]) => mode !== 0)).toEqual([])
    // What happens later is not in the copy.
    await setClaimMinutes(service.url, 18)
  }
  expect((await stat(copy)).mode & 0o077).toBe(0)
  for (const name of ['store.db', 'outbox.sqlite']) expect((await stat(join(copy, name))).mode & 0o077).toBe(0)
  await using restored = await startServiceProcess({ DATA_DIR: copy, PORT: '0' })
  expect(await ask(restored.url, '/auth/login', { body: memberOf('agent1') })).toMatchObject({ status: 409 })
  const token = await managerToken(restored.url)
  expect(await ask(restored.url, path, { token })).toMatchObject({ status: 200, body: { claimMinutes: 17 } })
  const { body } = await ask(restored.url, '/health')
  expect(body).toMatchObject({ parts: { bus: { detail: { deadLetters: 1, receivers: { 'no-such-consumer': { events: 1 } } } } } })
})

/** An event whose receiver does not come, and one that was given up. */
async function addEventAndDeadLetter(dataDir: string): Promise<void> {
  const outbox = createSqliteOutbox({ dataDir, clock: systemClock })
  const facts = { topic: 'call.completed', key: 'k', eventId: 'e', workspaceId: null }
  await outbox.add({ ...facts, id: 'e', body: '{}', receivers: ['no-such-consumer'] })
  await outbox.deadLetters.add({
    ...facts,
    id: 'd',
    receiver: 'insights',
    reason: 'INVALID_EVENT',
    deadAt: Date.now(),
    value: '',
    headers: {},
  })
  await outbox.close()
  // This process has no umask of its own, as the service has.
  await chmod(join(dataDir, 'outbox.sqlite'), 0o600)
}

test('a backup of a large store ends although the service writes all the time', async () => {
  await using folder = await createTempDir()
  const dataDir = join(folder.path, 'data')
  await mkdir(dataDir)
  using database = new DatabaseSync(join(dataDir, 'store.db'))
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE entries (text TEXT)')
  const add = database.prepare('INSERT INTO entries VALUES (?)')
  // 40 MB: more than SQLite copies in one of its usual steps.
  for (let count = 0; count < 40; count += 1) add.run('x'.repeat(1_000_000))
  const writing = setInterval(() => add.run('y'), 1)
  const { code, stderr } = await backUp(dataDir, '--to', join(folder.path, 'copy')).finally(() => clearInterval(writing))
  expect([code, stderr]).toEqual([0, ''])
  using copy = new DatabaseSync(join(folder.path, 'copy', 'store.db'))
  expect(copy.prepare("SELECT count(*) AS count FROM entries WHERE text > 'x' AND text < 'y'").get()).toEqual({ count: 40 })
})

test('a backup that would not be complete is refused, and leaves no folder', async () => {
  await using folder = await createTempDir()
  const dataDir = join(folder.path, 'data')
  const copy = join(folder.path, 'copy')
  {
    await using app = await createTestApp()
    await cp(app.dataDir, dataDir, { recursive: true })
  }
  const refused = async (from: string, options: readonly string[], code: number): Promise<string> => {
    const ran = await backUp(from, ...options)
    expect(ran.code).toBe(code)
    return ran.stderr
  }
  expect(await refused(dataDir, [], 2)).toContain('--to is required')
  expect(await refused(dataDir, ['--to', folder.path], 2)).toContain('exists already')
  expect(await refused(dataDir, ['--to', join(dataDir, 'x')], 2)).toContain('outside of the data directory')
  expect(await refused(join(folder.path, 'none'), ['--to', copy], 1)).toContain('There is no data directory')
  await rm(join(dataDir, 'secrets.key'))
  expect(await refused(dataDir, ['--to', copy], 1)).toContain('secrets key is missing')
  await rm(join(dataDir, 'store.db-wal'), { force: true })
  writeFileSync(join(dataDir, 'store.db'), 'no database')
  expect(await refused(dataDir, ['--to', copy], 1)).toContain('store.db cannot be copied')
  expect(await readdir(folder.path)).toEqual(['data'])
})
