import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { realServer } from '../harness/real-server.ts'
import { createTempDir } from '../harness/temp-dir.ts'

const redis = await realServer('redis')
const openssl = await realServer('openssl')
/** The audit suites: half of them need Redis. */
const half = 'tests/server/audit.test.ts'
const isRoot = process.getuid?.() === 0

describe('the run as a whole', () => {
  test('without a real server it says so, skips the suites and passes', async () => {
    await using programs = await createTempDir()
    const run = await runTests({ PATH: programs.path }, [half])
    expect(run.code).toBe(0)
    expect(run.output).toContain('Left out: the suites on a real Redis. To run them, put redis-server or valkey-server on PATH')
    expect(run.output, 'no file asked for a browser').not.toContain('a real browser')
    // Each of them runs on a store without and with Redis.
    expect(run.lastLine, run.output).toMatch(/^([1-9]\d*) passed, 0 failed, \1 skipped$/)
  })

  test('in CI a server that cannot be installed is a failure', async () => {
    await using programs = await createTempDir()
    await program(programs.path, 'apt-get', 'exit 100')
    const run = await runTests({ PATH: programs.path, CI: 'true' }, [half])
    expect(run.code).not.toBe(0)
    expect(run.output).toMatch(isRoot ? /apt-get/ : /In CI the suites on a real Redis must run/)
  })

  test.skipIf(redis === null || !isRoot)('in CI, as root, those that are asked for are installed once each, and no other', async () => {
    await using programs = await createTempDir()
    const requested = join(programs.path, 'requested')
    const link = (name: string, path: string): string =>
      `*${name}*) printf '#!/bin/sh\\nexec ${path} "$@"\\n' > ${join(programs.path, name)}; /bin/chmod +x ${join(programs.path, name)};;`
    const links = [link('redis-server', redis?.binary ?? ''), link('openssl', openssl?.binary ?? '')].join(' ')
    await program(programs.path, 'apt-get', `echo "$@" >> ${requested}\ncase "$*" in ${links} esac`)
    const run = await runTests({ PATH: programs.path, CI: 'true' }, [
      half,
      'tests/providers/lease.test.ts',
      'tests/gateway/gateway-tls.test.ts',
    ])
    expect(run.lastLine, run.output).toMatch(/^[1-9]\d* passed, 0 failed, 0 skipped$/)
    expect((await readFile(requested, 'utf8')).trim().split('\n').toSorted()).toEqual([
      expect.stringMatching(/^install .*openssl$/),
      expect.stringMatching(/^install .*redis-server$/),
      'update -qq',
    ])
  })

  test('a pure test starts no server, and nothing is installed for it', async () => {
    await using programs = await createTempDir()
    const requested = join(programs.path, 'requested')
    await program(programs.path, 'apt-get', `echo "$@" >> ${requested}`)
    const run = await runTests({ PATH: programs.path, CI: 'true' }, ['tests/recordings/mask-personal-data.test.ts'])
    expect(run.lastLine, run.output).toMatch(/^[1-9]\d* passed, 0 failed, 0 skipped$/)
    expect(existsSync(requested)).toBe(false)
  })
})

/** Runs test files in a Vitest of their own with just this environment. */
async function runTests(environment: Readonly<Record<string, string>>, files: readonly string[]) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/vitest.config.ts', ...files]
  const child = spawn(process.execPath, vitest, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const exit: readonly unknown[] = await exited
  return { code: exit[0], output: output + errors, lastLine: output.trimEnd().split('\n').at(-1) }
}

async function program(directory: string, name: string, script: string): Promise<void> {
  await writeFile(join(directory, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(directory, name), 0o755)
}
