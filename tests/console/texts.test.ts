import { globSync } from 'node:fs'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findConsoleFaults, fragmentsIn } from '../check/console.ts'

describe('the check of the console', () => {
  const faultsOf = (source: string): readonly string[] => findConsoleFaults('a.tsx', source, fragmentsIn({ 'a.tsx': source }))

  test('refuses words in the markup', () => {
    expect(faultsOf('const A = () => <p>Hello there</p>')).toHaveLength(1)
    expect(faultsOf('const A = () => <Field label="Name" />')).toHaveLength(1)
    expect(faultsOf('const A = () => <p className="entrance-lead">{texts.title} · 5</p>')).toEqual([])
  })

  test('refuses a document that does not fit the schema', () => {
    expect(faultsOf('const a = graphql(`{ me { role nothing } }`)').join()).toContain('Cannot query field "nothing"')
    expect(faultsOf('const b = graphql(`fragment B on Viewer { role }`)\nconst a = graphql(`{ me { ...B } }`, [b])')).toEqual([])
    expect(faultsOf('const b = graphql(`fragment B on Viewer { other }`)')).toHaveLength(1)
  })
})

test('every Hindi text is Hindi', () => {
  const faults = globSync('src/web/console/**/*.{ts,tsx}').flatMap((path) => {
    const blocks = readFileSync(path, 'utf8').matchAll(/\n\s+hi: (\{[^\n]*\}|\{[\s\S]*?\n {2}\}),\n/g)
    const hindi = [...blocks].map(([, texts = '']) => texts.replaceAll(/^\s*'[^']+':/gm, '')).join('')
    return [...hindi.matchAll(/['`]([^'`\n]+)['`]/g)]
      .map(([, text = '']) => text)
      .filter((text) => text !== 'hi' && !/\p{Script=Devanagari}/u.test(text))
      .map((text) => `${path}: ${text}`)
  })
  expect(faults).toEqual([])
})

test('no two screens have the same keys', () => {
  const keys = globSync('src/web/console/areas/*/area.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/keys: '([^']+)'/g)].map(([, found]) => found),
  )
  expect(keys.length).toBeGreaterThan(10)
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
})
