import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { claimDataDir } from '../../src/kernel/data-dir.ts'
import { childEnvironment } from '../harness/child-environment.ts'
import { createTempDir } from '../harness/temp-dir.ts'

describe('the data directory', () => {
  test('is created if it is missing, readable only by its owner', async () => {
    await using directory = await createTempDir()
    const path = join(directory.path, 'not', 'there', 'yet')
    using claim = claimDataDir(path)
    expect((await stat(path)).mode & 0o077).toBe(0)
    expect(claim).toBeDefined()
  })

  test('belongs to one process; kill -9 releases it', async () => {
    await using directory = await createTempDir()
    await using other = await claimInAnotherProcess(directory.path)
    expect(() => claimDataDir(directory.path)).toThrow(`Another process is using the data directory ${directory.path}. Stop it, or`)
    await other.kill()
    using claim = claimDataDir(directory.path)
    expect(claim).toBeDefined()
  })

  test('is claimed once within a process too, also by another name, until the claim is released', async () => {
    await using directory = await createTempDir()
    await symlink(directory.path, `${directory.path}/itself`)
    const claim = claimDataDir(directory.path)
    expect(() => claimDataDir(`${directory.path}/itself`)).toThrow('Another process is using')
    claim[Symbol.dispose]()
    claim[Symbol.dispose]()
    using again = claimDataDir(directory.path)
    expect(again).toBeDefined()
  })

  test('is named if it cannot be used', async () => {
    await using directory = await createTempDir()
    const file = join(directory.path, 'a-file')
    await writeFile(file, 'x')
    expect(() => claimDataDir(file)).toThrow(`The data directory ${file} cannot be used`)
    // Node's recursive mkdir would not return here.
    expect(() => claimDataDir('/proc/nope/deeper')).toThrow('The data directory /proc/nope/deeper cannot be used')
  })

  test('refuses a second service before it does anything, with a clear message', async () => {
    await using directory = await createTempDir()
    await using other = await claimInAnotherProcess(directory.path)
    const env = {
      ...childEnvironment,
      DATA_DIR: directory.path,
      PORT: '0',
      REDIS_URL: 'redis://127.0.0.1:9',
      SECRETS_KEY: 'A'.repeat(43) + '=',
    }
    for (const environment of [env, { ...env, REDIS_URL: '', SECRETS_KEY: '' }]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['src/main.ts'], {
        env: environment,
        encoding: 'utf8',
        timeout: 60_000,
      })
      expect(stderr).toMatch(new RegExp(`^Another process is using the data directory ${directory.path}\\..*\\n$`))
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    }
    expect(other.isRunning()).toBe(true)
  })
})

async function claimInAnotherProcess(dataDir: string) {
  const module = new URL('../../src/kernel/data-dir.ts', import.meta.url)
  const script = `
    import { claimDataDir } from ${JSON.stringify(module.href)}
    globalThis.claim = claimDataDir(process.argv[1])
    console.log('claimed')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  await once(child.stdout, 'data', { signal: AbortSignal.timeout(60_000) })
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  return { kill, isRunning: () => child.exitCode === null && child.signalCode === null, [Symbol.asyncDispose]: kill }
}
