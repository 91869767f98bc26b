import * as fc from 'fast-check'
import { buildSchema, coerceInputValue, isInputType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { bindTable } from '../../src/server/rest/bound-row.ts'
import { inputFaults } from '../../src/server/rest/input-errors.ts'
import type { Row } from '../../src/server/rest/row.ts'
import { rowFor } from '../harness/small-rest.ts'

const schema = buildSchema(/* GraphQL */ `
  enum Colour {
    RED
    GREEN
  }
  input Inner {
    text: String!
    deep: Inner
  }
  input OneOf @oneOf {
    a: Int
    b: String
  }
  input Box {
    id: ID!
    name: String
    colour: Colour = RED
    colours: [Colour!]
    inner: [Inner!]
    size: Float!
    open: Boolean! = true
    one: OneOf
  }
  type Query {
    read(id: ID, box: Box): String
  }
  type Mutation {
    write(id: ID!, box: Box): String
  }
`)
const read = 'query Read($id: ID) { read(id: $id) }'
const write = 'mutation Write($id: ID!, $box: Box) { write(id: $id, box: $box) }'

describe('the table is held against the schema at the start', () => {
  test.each<[fault: string, row: Row]>([
    ['Cannot query field "gone" on type "Query"', rowFor('query Read { gone }', { method: 'GET', path: '/x' })],
    [
      'Variable "$id" of type "Int" used in position expecting type "ID"',
      rowFor('query Read($id: Int) { read(id: $id) }', { method: 'GET', path: '/x' }),
    ],
    ['must have a name and exactly one root field', rowFor('{ read }', { method: 'GET', path: '/x' })],
    ['must have a name and exactly one root field', rowFor('query Two { read again: read }', { method: 'GET', path: '/x' })],
    ['__typename is no field of ours', rowFor('query Meta { __typename }', { method: 'GET', path: '/x' })],
    ['its operation has no argument idd', rowFor(read, { method: 'GET', path: '/x', arguments: { idd: 'query.id' } })],
    [
      'its operation has no argument box.nme',
      rowFor(write, { method: 'POST', path: '/x', arguments: { id: 'body.id', 'box.nme': 'body.name' } }),
    ],
    ['nothing gives $id', rowFor(write, { method: 'POST', path: '/x' })],
    ['nothing gives $box.size', rowFor(write, { method: 'POST', path: '/x', arguments: { id: 'body.id', 'box.id': 'body.boxId' } })],
    ['GET must run a query', rowFor(write, { method: 'GET', path: '/x', arguments: { id: 'query.id' } })],
    ['GET takes no body', rowFor(read, { method: 'GET', path: '/x', arguments: { id: 'body.id' } })],
    ['the whole body goes to one argument', rowFor(write, { method: 'POST', path: '/x', arguments: { id: 'body.id', box: 'body' } })],
    [
      '$box is an object: only the body can give it',
      rowFor(write, { method: 'POST', path: '/x', arguments: { id: 'body.id', box: 'query.box' } }),
    ],
    ['its path has no {id}', rowFor(read, { method: 'GET', path: '/x', arguments: { id: 'path.id' } })],
    ['{id} goes to no argument', rowFor(read, { method: 'GET', path: '/x/{id}' })],
  ])('%s', (fault, row) => {
    expect(() => bindTable([row], schema)).toThrow(`${row.method} /x`)
    expect(() => bindTable([row], schema)).toThrow(fault)
  })

  test('the same request twice, and one path in two wordings', () => {
    const one = rowFor(read, { method: 'GET', path: '/x/{id}', arguments: { id: 'path.id' } })
    const other = rowFor(read, { method: 'GET', path: '/x/{key}', arguments: { id: 'path.key' } })
    expect(() => bindTable([one, one], schema)).toThrow('GET /x/{id}: stands in the table twice')
    expect(() => bindTable([one, other], schema)).toThrow('GET /x/{key}: names its parameters otherwise than /x/{id}')
  })

  test('all faults are named at once, and a table without any passes', () => {
    const bad = rowFor(write, { method: 'GET', path: '/y/{id}' })
    expect(() => bindTable([bad], schema)).toThrow(/GET must run a query\n.*\{id\} goes to no argument/s)
    const good = rowFor(write, { method: 'PUT', path: '/y/{id}', arguments: { id: 'path.id', box: 'body' } })
    expect(bindTable([good], schema)).toHaveLength(1)
  })
})

test('a value has faults exactly where graphql refuses it', () => {
  const box = schema.getType('Box')
  if (!isInputType(box)) throw new Error('no Box')
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.constantFrom('RED', 'GREEN', 'BLUE'))
  const oneOf = fc.record({ a: fc.oneof(fc.integer(), leaf), b: fc.oneof(fc.string(), leaf), c: leaf }, { requiredKeys: [] })
  const inner = fc.letrec<{ inner: unknown }>((tie) => ({
    inner: fc.record(
      { text: fc.oneof({ weight: 4, arbitrary: fc.string() }, leaf), deep: fc.oneof({ maxDepth: 2 }, leaf, tie('inner')), more: leaf },
      { requiredKeys: [] },
    ),
  })).inner
  const value = fc.record(
    {
      id: fc.oneof({ weight: 20, arbitrary: fc.string() }, leaf),
      size: fc.oneof({ weight: 20, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) }, leaf),
      name: fc.oneof({ weight: 20, arbitrary: fc.string() }, leaf),
      colour: fc.oneof({ weight: 20, arbitrary: fc.constantFrom('RED', 'GREEN') }, leaf),
      colours: fc.oneof(fc.constantFrom('RED'), fc.array(fc.constantFrom('RED', 'GREEN')), fc.array(leaf)),
      inner: fc.oneof(inner, fc.array(inner), leaf),
      open: fc.oneof({ weight: 20, arbitrary: fc.boolean() }, leaf),
      one: fc.oneof(oneOf, leaf),
    },
    { requiredKeys: [] },
  )
  const verdicts = { taken: 0, refused: 0 }
  fc.assert(
    fc.property(value, (given) => {
      let refused = false
      coerceInputValue(given, box, () => (refused = true))
      verdicts[refused ? 'refused' : 'taken'] += 1
      expect(inputFaults(given, box, '').length > 0).toBe(refused)
    }),
    { numRuns: 5_000 },
  )
  expect(Math.min(verdicts.taken, verdicts.refused)).toBeGreaterThan(100)
})
