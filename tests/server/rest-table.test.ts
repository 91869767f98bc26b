import * as fc from 'fast-check'
import { buildSchema, coerceInputValue, isInputType, parse, print } from 'graphql'
import { describe, expect, test } from 'vitest'
import { bindTable } from '../../src/server/rest/bound-row.ts'
import { inputFaults } from '../../src/server/graphql/input-faults.ts'
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
  type Chest {
    id: ID!
    lid: Lid
    drawers: [Drawer!]!
  }
  type Lid {
    colour: Colour!
  }
  type Drawer {
    size: Int!
    chest: Chest
  }
  type Query {
    read(id: ID, box: Box): String
    chest(id: ID! = "oak", lid: Boolean): Chest
  }
  type Mutation {
    write(id: ID!, box: Box): String
  }
`)
describe('the table is checked against the schema at the start', () => {
  test.each<[fault: string, row: Row]>([
    ['the schema has no query field gone', rowFor('query gone', { method: 'GET', path: '/x' })],
    ['the schema has no mutation field read', rowFor('mutation read', { method: 'POST', path: '/x' })],
    ['read has no argument idd', rowFor('query read', { method: 'GET', path: '/x', arguments: { idd: 'query.id' } })],
    [
      'write has no argument box.nme',
      rowFor('mutation write', { method: 'POST', path: '/x', arguments: { id: 'body.id', 'box.nme': 'body.name' } }),
    ],
    ['read has no argument idd', rowFor('query read', { method: 'GET', path: '/x', constants: { idd: '1' } })],
    [
      'its answer has no field size',
      rowFor('query chest', { method: 'GET', path: '/x', arguments: { id: 'query.id' }, onRequest: { size: 'query.size' } }),
    ],
    [
      'There can be only one variable named "$lid"',
      rowFor('query chest', {
        method: 'GET',
        path: '/x',
        arguments: { id: 'query.id', lid: 'query.lid' },
        onRequest: { lid: 'query.lid' },
      }),
    ],
    ['nothing gives id', rowFor('query chest', { method: 'GET', path: '/x' })],
    ['nothing gives id', rowFor('mutation write', { method: 'POST', path: '/x' })],
    [
      'nothing gives box.size',
      rowFor('mutation write', { method: 'POST', path: '/x', arguments: { id: 'body.id', 'box.id': 'body.boxId' } }),
    ],
    ['GET must run a query', rowFor('mutation write', { method: 'GET', path: '/x', arguments: { id: 'query.id' } })],
    ['GET takes no body', rowFor('query read', { method: 'GET', path: '/x', arguments: { id: 'body.id' } })],
    [
      'the whole body goes to one argument',
      rowFor('mutation write', { method: 'POST', path: '/x', arguments: { id: 'body.id', box: 'body' } }),
    ],
    [
      'box is an object: only the body can give it',
      rowFor('mutation write', { method: 'POST', path: '/x', arguments: { id: 'body.id', box: 'query.box' } }),
    ],
    ['its path has no {id}', rowFor('query read', { method: 'GET', path: '/x', arguments: { id: 'path.id' } })],
    ['{id} goes to no argument', rowFor('query read', { method: 'GET', path: '/x/{id}' })],
  ])('%s', (fault, row) => {
    expect(() => bindTable([row], schema)).toThrow(`${row.method} /x`)
    expect(() => bindTable([row], schema)).toThrow(fault)
  })

  test('the same request twice, and one path with two parameter names', () => {
    const one = rowFor('query read', { method: 'GET', path: '/x/{id}', arguments: { id: 'path.id' } })
    const other = rowFor('query read', { method: 'GET', path: '/x/{key}', arguments: { id: 'path.key' } })
    expect(() => bindTable([one, one], schema)).toThrow('GET /x/{id}: is in the table twice')
    expect(() => bindTable([one, other], schema)).toThrow('GET /x/{key}: names its parameters differently from /x/{id}')
  })

  test('two operations of one name', () => {
    const shape = { name: 'readIt', method: 'GET' } as const
    expect(() =>
      bindTable([rowFor('query read', { ...shape, path: '/x' }), rowFor('query read', { ...shape, path: '/y' })], schema),
    ).toThrow('GET /x, GET /y: have the same name readIt')
  })

  test('one error names all faults, and a table without faults passes', () => {
    const bad = rowFor('mutation write', { method: 'GET', path: '/y/{id}' })
    expect(() => bindTable([bad], schema)).toThrow(/GET must run a query\n.*\{id\} goes to no argument/s)
    const good = rowFor('mutation write', { method: 'PUT', path: '/y/{id}', arguments: { id: 'path.id', box: 'body' } })
    expect(bindTable([good], schema)).toHaveLength(1)
  })
})

test('the document selects every field of the answer once, and the requested ones if their variable is true', () => {
  const row = rowFor('query chest', {
    method: 'GET',
    path: '/x',
    name: 'openChest',
    arguments: { id: 'query.id' },
    onRequest: { lid: 'query.withLid' },
  })
  const [bound] = bindTable([row], schema)
  const expected = /* GraphQL */ `
    query OpenChest($id: ID! = "oak", $withLid: Boolean! = false) {
      chest(id: $id) {
        id
        lid @include(if: $withLid) {
          colour
        }
        drawers {
          size
        }
      }
    }
  `
  expect(print(bound?.document ?? parse('{ nothing }'))).toBe(print(parse(expected)))
})

test('a value has faults if and only if graphql refuses it', () => {
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
