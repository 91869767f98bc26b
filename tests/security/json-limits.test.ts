import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkJson, type JsonLimits } from '../../src/kernel/json-limits.ts'

const endless: JsonLimits = { values: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY }
const refusalOf = (text: string, limits: Partial<JsonLimits>): string | null => {
  try {
    checkJson(Buffer.from(text), { ...endless, ...limits })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const prototypeNames = ['__proto__', 'constructor', 'prototype']
const plainKey = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('_proto__', 'constructors', 'a"b', '\\', '\\\\"', '{', '[,', ':'),
)
const key = plainKey.filter((name) => !prototypeNames.includes(name))
const text = fc.oneof(plainKey, fc.constantFrom(...prototypeNames, '"__proto__":', '"constructor": 1'))
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(key, tie('value'), { maxKeys: 6 }),
  ),
})).value
const indent = fc.constantFrom('', '  ', '\t')

function inner(value: unknown): readonly unknown[] | null {
  return typeof value === 'object' && value !== null ? Object.values(value) : null
}
function valuesIn(value: unknown): number {
  const parts = inner(value)
  return parts === null ? 0 : Math.max(parts.length, 1) + parts.reduce<number>((sum, part) => sum + valuesIn(part), 0)
}
function depthOf(value: unknown): number {
  const parts = inner(value)
  return parts === null ? 0 : 1 + Math.max(0, ...parts.map(depthOf))
}

describe('the limits of JSON', () => {
  test('count each value and level of any JSON exactly, however it is written', () => {
    fc.assert(
      fc.property(json, indent, (value, space) => {
        const written = JSON.stringify(value, null, space)
        const parsed: unknown = JSON.parse(written)
        const values = 1 + valuesIn(parsed)
        const depth = depthOf(parsed)
        expect(refusalOf(written, { values, depth })).toBeNull()
        const [tooWide, tooDeep] = [refusalOf(written, { values: values - 1 }), refusalOf(written, { depth: depth - 1 })]
        expect(values === 1 || tooWide?.includes('values')).toBe(true)
        expect(depth === 0 || tooDeep?.includes('levels')).toBe(true)
      }),
      { numRuns: 2_000, seed: 17 },
    )
  })

  test('find a prototype key at any place and in any spelling, and take it as a value', () => {
    const name = fc.constantFrom(...prototypeNames)
    fc.assert(
      fc.property(json, name, fc.array(fc.boolean(), { minLength: 11, maxLength: 11 }), (value, key, escapes) => {
        const spelt = Array.from(key, (character, index) =>
          escapes[index] ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character,
        )
        const marked = JSON.stringify({ before: value, in: [{ mark: value }], after: value }, null, escapes[0] ? '\t' : '')
        const at = marked.lastIndexOf('"mark"')
        const hostile = `${marked.slice(0, at)}"${spelt.join('')}"${marked.slice(at + '"mark"'.length)}`
        expect(refusalOf(hostile, {})).toContain(`must not have the key ${key}`)
        expect(refusalOf(`["${spelt.join('')}"]`, {})).toBeNull()
      }),
      { numRuns: 500, seed: 17 },
    )
  })

  test('let bytes that are not JSON pass to the parser, without an error of their own', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => checkJson(bytes, endless)).not.toThrow(TypeError)
        expect(() => checkJson(bytes, endless)).not.toThrow(RangeError)
      }),
      { numRuns: 500, seed: 17 },
    )
  })
})
