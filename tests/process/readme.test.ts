import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { restTable } from '../../src/server/rest/table.ts'
import { settingNames } from '../../src/settings/environment.ts'

const readme = readFileSync('README.md', 'utf8')
const packageSchema = z.object({
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
})
const manifest = packageSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')))

describe('the README', () => {
  it('has every REST operation with its summary, and no other', () => {
    const section = /<!-- rest -->\n([\s\S]*?)<!-- \/rest -->/.exec(readme)?.[1]
    const rows = restTable.map(({ method, path, summary }) => `| \`${method} ${path}\` | ${summary} |`)
    expect(section?.trim()).toBe(['| operation | what it does |', '|---|---|', ...rows].join('\n'))
  })

  it('has every setting', () => {
    expect(settingNames.filter((name) => !readme.includes(`\`${name}\``) && name !== 'NODE_ENV')).toEqual([])
  })

  it('says why each dependency is there', () => {
    const section = readme.slice(readme.indexOf('## Dependencies, and why'), readme.indexOf('## Decisions'))
    const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
    for (const name of names) expect(section, name).toContain(name.replace('@graphql-tools/', ''))
  })

  it('names no script that is not there', () => {
    const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1] ?? '')
    expect(named.filter((name) => !(name in manifest.scripts))).toEqual([])
    expect(named).toContain('tour')
  })

  it('names no file that is not there', () => {
    const files = [...readme.matchAll(/`((?:src|schema|tests)\/[\w./-]+\.(?:ts|graphql))`/g)].map((match) => match[1] ?? '')
    expect(files.length).toBeGreaterThan(10)
    for (const file of files) expect(() => readFileSync(file), file).not.toThrow()
  })
})
