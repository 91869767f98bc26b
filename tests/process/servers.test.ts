import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, test } from 'vitest'
import { createTempDir } from '../harness/temp-dir.ts'

const redis = inject('redis')
const kafka = inject('kafka')
const isRoot = process.getuid?.() === 0

describe('the run as a whole', () => {
  test('without a real server it says so, skips the suites and passes', async () => {
    await using programs = await createTempDir()
    const run = await runAuditTests({ PATH: programs.path })
    expect(run.code).toBe(0)
    expect(run.output).toContain('Left out: the suites on a real Redis. To run them, put redis-server or valkey-server on PATH')
    expect(run.output).toContain('Left out: the suites on a real Kafka. To run them, put java (17 or later) and mvn on PATH')
    // Each of them runs on a store without and with Redis.
    expect(run.lastLine).toMatch(/^([1-9]\d*) passed, 0 failed, \1 skipped$/)
  })

  test('in CI a server that cannot be installed is a failure', async () => {
    await using programs = await createTempDir()
    await program(programs.path, 'apt-get', 'exit 100')
    const run = await runAuditTests({ PATH: programs.path, CI: 'true' })
    expect(run.code).not.toBe(0)
    expect(run.output).toMatch(isRoot ? /apt-get/ : /In CI the suites on a real (Redis|Kafka) must run/)
  })

  test.skipIf(redis === null || kafka === null || !isRoot)('in CI, as root, they are installed once each and used', async () => {
    await using programs = await createTempDir()
    const requested = join(programs.path, 'requested')
    const java = kafka?.programs.java ?? ''
    const link = (name: string, path: string): string =>
      `printf '#!/bin/sh\\nexec ${path} "$@"\\n' > ${join(programs.path, name)}; /bin/chmod +x ${join(programs.path, name)}`
    const redisLinks = `*redis-server*) ${link('redis-server', redis?.binary ?? '')};;`
    const javaLinks = `*openjdk*) ${link('java', java)}; ${link('keytool', join(dirname(java), 'keytool'))};;`
    const others = ['chromium', 'curl', 'espeak-ng', 'openssl'].map((name) => `*${name}*) ${link(name, '/bin/true')};;`).join(' ')
    await program(programs.path, 'apt-get', `echo "$@" >> ${requested}\ncase "$*" in ${redisLinks} ${javaLinks} ${others} esac`)
    const run = await runAuditTests({ PATH: programs.path, CI: 'true' })
    expect(run.lastLine).toMatch(/^[1-9]\d* passed, 0 failed, 0 skipped$/)
    expect((await readFile(requested, 'utf8')).trim().split('\n').toSorted()).toEqual([
      expect.stringMatching(/^install .*chromium$/),
      expect.stringMatching(/^install .*curl$/),
      expect.stringMatching(/^install .*espeak-ng$/),
      expect.stringMatching(/^install .*openjdk-17-jre-headless$/),
      expect.stringMatching(/^install .*openssl$/),
      expect.stringMatching(/^install .*redis-server$/),
      'update -qq',
    ])
  })
})

/** Runs the audit suites, half of which need Redis, in a Vitest of their own with just this environment. */
async function runAuditTests(environment: Readonly<Record<string, string>>) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/vitest.config.ts', 'tests/server/audit.test.ts']
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
