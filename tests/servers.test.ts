import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, test } from 'vitest'
import { createTempDir } from './harness/temp-dir.ts'

const redis = inject('redis')
const isRoot = process.getuid?.() === 0

describe('the run as a whole', { timeout: 60_000 }, () => {
  test('where a real server is missing, it says so, skips its suites and passes', async () => {
    await using programs = await createTempDir()
    const run = await runAuditTests({ PATH: programs.path })
    expect(run.code).toBe(0)
    expect(run.output).toContain('Left out: the suites on a real Redis. To run them, put redis-server or valkey-server on PATH')
    expect(run.lastLine).toBe('5 passed, 0 failed, 5 skipped')
  })

  test('in CI a server that cannot be had is a failure', async () => {
    await using programs = await createTempDir()
    await program(programs.path, 'apt-get', 'exit 100')
    const run = await runAuditTests({ PATH: programs.path, CI: 'true' })
    expect(run.code).not.toBe(0)
    expect(run.output).toMatch(isRoot ? /apt-get/ : /In CI the suites on a real Redis must run/)
  })

  test.skipIf(redis === null || !isRoot)('in CI, as root, it is installed once and used', async () => {
    await using programs = await createTempDir()
    const [asked, server] = [join(programs.path, 'asked'), join(programs.path, 'redis-server')]
    const link = `case "$1" in install) printf '#!/bin/sh\\nexec ${redis?.binary} "$@"\\n' > ${server}; /bin/chmod +x ${server};; esac`
    await program(programs.path, 'apt-get', `echo "$@" >> ${asked}\n${link}`)
    const run = await runAuditTests({ PATH: programs.path, CI: 'true' })
    expect(run.lastLine).toBe('10 passed, 0 failed, 0 skipped')
    expect(await readFile(asked, 'utf8')).toMatch(/^update -qq\ninstall .*redis-server\n$/)
  })
})

/** Runs the audit suites, half of which need Redis, in a Vitest of their own with just this environment. */
async function runAuditTests(environment: Readonly<Record<string, string>>) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/vitest.config.ts', 'tests/audit.test.ts']
  const child = spawn(process.execPath, vitest, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit')
  const [output, faults] = await Promise.all([text(child.stdout), text(child.stderr)])
  const exit: readonly unknown[] = await exited
  return { code: exit[0], output: output + faults, lastLine: output.trimEnd().split('\n').at(-1) }
}

async function program(directory: string, name: string, script: string): Promise<void> {
  await writeFile(join(directory, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(directory, name), 0o755)
}
