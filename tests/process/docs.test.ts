import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { settingNames } from '../../src/settings/environment.ts'
import { type DocExample, docExamples, textAt } from '../harness/doc-examples.ts'
import { freePort } from '../harness/free-port.ts'
import { realServer } from '../harness/real-server.ts'
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

const curl = await realServer('curl')
const pages = ['README.md', 'tests/prove/mutations/README.md', ...globSync('docs/*.md').map((path) => path.replaceAll('\\', '/'))]
const pageOf = (path: string): string => readFileSync(path, 'utf8')
const packageSchema = z.object({
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
})
const manifest = packageSchema.parse(JSON.parse(pageOf('package.json')))

describe('the pages', () => {
  it('have a short README', () => {
    expect(statSync('README.md').size).toBeLessThanOrEqual(9_000)
  })

  it('have every setting', () => {
    const page = pageOf('docs/configuration.md')
    expect(settingNames.filter((name) => !page.includes(`\`${name}\``) && name !== 'NODE_ENV')).toEqual([])
  })

  it('say why each dependency is there, and of none that is not', () => {
    const [, section = ''] = pageOf('docs/architecture.md').split('## Dependencies')
    const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
    for (const name of names) expect(section, name).toContain(name.replace('@graphql-tools/', ''))
    const rows = [...section.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = '']) => cell.split(',').map((name) => name.trim()))
    const known = new Set(names.flatMap((name) => [name, name.replace('@graphql-tools/', '')]))
    expect(rows.filter((name) => name !== 'package' && !known.has(name) && !name.startsWith('-'))).toEqual([])
  })

  it.each(pages)('%s names only scripts, files and pages that exist', (path) => {
    const page = pageOf(path)
    const scripts = [...page.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name)
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([])
    const files = [...page.matchAll(/`((?:src|schema|tests|deploy)\/[\w./-]+)`/g)].map(([, name = '']) => name)
    // What is in tests/.cache comes with the first run.
    expect(files.filter((file) => !file.startsWith('tests/.cache/') && !existsSync(file))).toEqual([])
    const links = [...page.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
    const broken = links.filter(([, target = '', anchor]) => {
      const linked = target === '' ? path : join(dirname(path), target)
      return !existsSync(linked) || (anchor !== undefined && !anchorsOf(pageOf(linked)).includes(anchor))
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })
})

function anchorsOf(page: string): readonly string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

/** Commands that other tests run: starting, touring and testing are what they are about. */
const runElsewhere: Readonly<Record<string, string>> = {
  'npm install && npm start': 'tests/sandbox/sandbox-mode.test.ts',
  'npm run tour': 'tests/process/tour.test.ts',
  'npm install && npm test': '.ci/run',
}

describe('excerpts', () => {
  it.each(pages)('of %s are in the files that they come from', (path) => {
    const excerpts = docExamples(path).flatMap(({ source, text }) => (source === null ? [] : [{ source, text }]))
    const stale = excerpts.filter(({ source, text }) => !existsSync(source) || !pageOf(source).includes(text))
    expect(stale).toEqual([])
  })

  it('are all of the frontend page that is code for browsers', () => {
    const blocks = docExamples('docs/frontend.md').filter(({ language }) => ['ts', 'tsx', 'js'].includes(language))
    expect(blocks.filter(({ source, excuse }) => source === null && excuse === null)).toEqual([])
    expect(blocks.length).toBeGreaterThan(5)
  })
})

describe('the examples', () => {
  let directory: Awaited<ReturnType<typeof createTempDir>>
  let service: ServiceProcess
  beforeAll(async () => {
    directory = await createTempDir()
    service = await startServiceProcess({ PORT: String(await freePort()), DATA_DIR: directory.path })
    await writeFile(join(directory.path, 'logo.png'), Buffer.from('iVBORw0KGgo=', 'base64'))
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await directory[Symbol.asyncDispose]()
  })

  const post = async (path: string, body: unknown, token = ''): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    return (await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  const signIn = async (email: string): Promise<string> => {
    const answer = await post('/auth/login', { email, password: sandboxPassword, workspace: 'demo' })
    return textAt(answer, ['tokens', 'accessToken', 'token'])
  }

  /** GraphQL examples of a page, in order, by one agent; whoever signs in by an example acts from then on, also after an example of a sign-out. */
  const runGraphql = async (examples: readonly DocExample[]): Promise<void> => {
    const saved = new Map<string, string>()
    let [token, signIn] = ['', '']
    const tokenIn = (answer: unknown): string => textAt(answer, ['data', 'agentLogin', 'tokens', 'accessToken', 'token'])
    for (const { text: document, saves, waits } of examples) {
      if (waits) await callEnded(token)
      const query = [...saved].reduce((filled, [name, value]) => filled.replaceAll(name, value), document)
      const answer = await post('/graphql', { query }, token)
      expect(answer, query).not.toHaveProperty('errors')
      if (query.includes('agentLogin')) [token, signIn] = [tokenIn(answer), query]
      if (query.includes('agentLogout')) token = tokenIn(await post('/graphql', { query: signIn }))
      if (saves) saved.set(saves.name, textAt(answer, saves.path))
    }
    await post('/graphql', { query: 'mutation { agentLogout { released } }' }, token)
  }
  const callEnded = (token: string): Promise<unknown> =>
    waitFor(
      async () =>
        textAt(await post('/graphql', { query: '{ currentCall { call { phase } } }' }, token), ['data', 'currentCall', 'call', 'phase']) ===
        'COMPLETED',
      { what: 'the end of the call' },
    )

  const runShell = async (script: string, token: string): Promise<{ readonly code: number | null; readonly output: string }> => {
    const failing = `set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n${script}`
    const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, SIDECAR: service.url, TOKEN: token }
    const child = spawn('bash', ['-c', failing], { cwd: directory.path, env })
    const [out, err, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.once('close', resolve)),
    ])
    return { code, output: out + err }
  }

  test.each(pages)('%s: queries answer', async (path) => {
    const examples = docExamples(path).filter(({ language, excuse }) => language === 'graphql' && excuse === null)
    await expect(runGraphql(examples)).resolves.toBeUndefined()
  })

  test.skipIf(curl === null).each(pages)('%s: commands succeed', async (path) => {
    const examples = docExamples(path).filter(({ language, excuse }) => language === 'sh' && excuse === null)
    const token = await signIn('manager@demo.example')
    for (const { text: script } of examples) {
      const elsewhere = runElsewhere[script]
      const run = elsewhere === undefined ? await runShell(script, token) : { code: existsSync(elsewhere) ? 0 : null, output: elsewhere }
      expect(run, script).toMatchObject({ code: 0 })
    }
    expect(examples.filter(({ text: script }) => script.includes('npm') && !(script in runElsewhere))).toEqual([])
  })
})
