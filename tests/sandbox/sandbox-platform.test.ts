import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createStepRunner, type StepRunner, stepSchema } from '../harness/platform-steps.ts'
import { differences } from '../harness/recorded-shape.ts'

const folder = new URL('../fixtures/platform/', import.meta.url)
const files = readdirSync(folder).filter((file) => file.endsWith('.json'))

/** Each file tells one story, in our own words and the shapes recorded from a real server of version 2.21 (and one of 1.3). */
describe.each(files)('%s', (file) => {
  const steps = z.array(stepSchema).parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
  let runner: StepRunner
  beforeAll(async () => void (runner = await createStepRunner()))
  afterAll(() => runner[Symbol.asyncDispose]())

  test.each(steps)('$name', async (step) => {
    expect(await runner.run(step)).toEqual([])
  })
})

describe('the comparison of answers', () => {
  const id = '7d3e9c52-5f0a-4f2e-9d7b-1f6f4b8f9a10'

  test('takes what fits and remembers it', () => {
    const learnt = new Map([['workspace', 'demo']])
    const expected = { id: '<uuid:lead>', of: '{workspace}', list: ['<some>', { at: '<moment>' }], none: null }
    expect(differences(expected, { id, of: 'demo', list: [{ at: '2025-01-15T09:00:00.000Z' }], none: null }, learnt)).toEqual([])
    expect(learnt.get('lead')).toBe(id)
  })

  test.each([
    ['another value', { code: 'FORBIDDEN' }, { code: 'NOT_FOUND' }],
    ['a missing member', { code: 'FORBIDDEN', subCode: 'X' }, { code: 'FORBIDDEN' }],
    ['an added member', { code: 'FORBIDDEN' }, { code: 'FORBIDDEN', path: ['lead'] }],
    ['null for a value', { id: '<uuid>' }, { id: null }],
    ['a value for null', { data: null }, { data: {} }],
    ['another form', { id: '<uuid>' }, { id: 'abc' }],
    ['a number as text', { count: '<number>' }, { count: '1' }],
    ['a shorter list', { list: [1, 2] }, { list: [1] }],
    ['a longer list', { list: [1] }, { list: [1, 2] }],
    ['an empty list', { list: ['<some>', 1] }, { list: [] }],
    ['a list with a stranger', { list: ['<some>', 1] }, { list: [1, 2] }],
    ['a text that was not learnt before', { id: 'x' }, { id: 'y' }],
  ])('finds %s', (_what, expected, actual) => {
    expect(differences(expected, actual, new Map())).toHaveLength(1)
  })
})
