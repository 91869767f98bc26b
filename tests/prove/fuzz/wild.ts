import * as fc from 'fast-check'

const strange = [
  '',
  ' ',
  'null',
  'undefined',
  'NaN',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%2e%2e%2f',
  '%00',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '${7*7}{{7*7}}',
  '\u0000',
  '\ud800',
  '\u202e\u2066',
  '😀'.repeat(300),
  'x'.repeat(70_000),
  '9'.repeat(400),
  '-1',
  '1e309',
  '0x10',
  '2026-02-30T25:61:00Z',
  '+000000',
  'http://169.254.169.254/latest/meta-data',
  '00000000-0000-0000-0000-000000000000',
]

/** Texts that programs are often not prepared for. */
export const wildTexts = fc.oneof(fc.constantFrom(...strange), fc.string({ unit: 'binary', maxLength: 40 }))

/** Values of any JSON type, unusual ones first. */
const wildValues: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: wildTexts },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, 0, -1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      [],
      {},
      [[]],
      [null],
      { a: { b: {} } },
      Array.from({ length: 300 }, (_, index) => index),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** Bodies that are no JSON object, or barely one. */
export const wildBodies: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '}',
    'null',
    '[]',
    '"x"',
    '1',
    '{"a":1,"a":2}',
    '{"__proto__":{"x":1},"constructor":{"prototype":{}}}',
    '{"a":1e999}',
    '\ufeff{}',
    `${'['.repeat(200)}${']'.repeat(200)}`,
    `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
    `{"a":"${'x'.repeat(300_000)}"}`,
  ),
  fc.json({ maxDepth: 4 }),
  fc.string({ maxLength: 60 }),
)

/** The value with one part replaced, removed or added. */
export function damaged(value: unknown): fc.Arbitrary<unknown> {
  const places = placesOf(value)
  return fc.tuple(fc.nat(places.length - 1), wildValues, fc.constantFrom('replace', 'remove', 'add')).map(([index, wild, how]) => {
    const place = places[index] ?? []
    return changed(value, place, (part) => {
      if (how === 'remove') return undefined
      if (how === 'add' && isObject(part)) return { ...part, unexpected: wild }
      return wild
    })
  })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Place = readonly (string | number)[]

function placesOf(value: unknown): readonly Place[] {
  const below = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : []
  return [[], ...below.flatMap(([key, part]) => placesOf(part).map((place) => [key, ...place]))]
}

function changed(value: unknown, [key, ...rest]: Place, change: (part: unknown) => unknown): unknown {
  if (key === undefined) return change(value)
  if (Array.isArray(value)) return value.map((part: unknown, index) => (index === key ? changed(part, rest, change) : part))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, name === key ? changed(part, rest, change) : part]))
}
