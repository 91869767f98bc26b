import { globSync, readFileSync } from 'node:fs'
import {
  buildSchema,
  type DocumentNode,
  getNamedType,
  getIntrospectionQuery,
  getNullableType,
  type GraphQLField,
  isInputObjectType,
  isListType,
  Kind,
  parse,
} from 'graphql'
import { expect, test } from 'vitest'
import { valueOf, type Variables } from '../../src/server/graphql/cost/cost.ts'
import { costRuleOf, mostCost } from '../../src/server/graphql/cost/cost-rule.ts'
import { operationCost } from '../../src/server/graphql/cost/operation-cost.ts'
import { limitOf } from '../../src/server/graphql/input-limits/input-limit.ts'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { fragmentsOf } from '../../src/server/graphql/root-selections.ts'
import { addedFieldSources, platformExtensions } from '../../src/server/graphql/stitching/extensions.ts'
import { objectNames } from '../../src/server/graphql/stitching/object-names.ts'
import { platformSection } from '../../src/ports/configuration/platform.ts'
import { docExamples } from '../harness/doc-examples.ts'

const schema = buildSchema(readContract())
const rootFields = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
  Object.values(type?.getFields() ?? {}),
)

function costsOf(document: DocumentNode, variables: Variables = {}): readonly number[] {
  const fragments = fragmentsOf(document)
  return document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? valueOf(operationCost(definition, { schema, fragments }), variables) : [],
  )
}
const costOf = (source: string, variables?: Variables): number => costsOf(parse(source), variables)[0] ?? Number.NaN

test.each([
  ['a root field', '{ me { role user { id } } }', 1],
  ['aliases add up', '{ a: me { role } b: me { role } }', 2],
  ['a root field that is merged counts once', '{ me { role } me { role } ...A } fragment A on Query { me { role } }', 1],
  ['IDs', '{ recordingStatuses(callIds: ["a", "b", "c"]) { state } }', 1 + 3 * 10],
  ['equal IDs count once', '{ recordingStatuses(callIds: ["a", "A", "a"]) { state } }', 1 + 10],
  ['one ID in the place of a list', '{ recordingStatuses(callIds: "a") { state } }', 1 + 10],
  ['lists in the answer count for every entry', '{ recordingAnalyses(callIds: ["a", "a"]) { utterances { text } } }', 1 + 10 + 2 * 100],
  ['a page', '{ missedCalls(first: 7) { nodes { ucid } } }', 10 + 7],
  ['the usual page', '{ missedCalls { nodes { ucid } pageInfo { hasNextPage } } }', 10 + 50],
  [
    'both forms of a page',
    '{ auditLog(first: 7) { nodes { details { name } } edges { node { details { name } } } } }',
    100 + 7 + 7 * 10 + 7 * 10,
  ],
  ['a page in an answer', '{ doctorDirectory { slots(first: 30) { nodes { id } } } }', 100 + 30],
  ['a list', '{ widgetKeys { key } }', 1 + 10],
  ['a range', '{ history(from: "2026-11-01", to: "2026-11-30") { rows { calls } } }', 1 + 90 + 100],
  ['a range of another form', '{ history(from: "2026-11-01", to: "x") { id } }', 1 + 1_098],
  ['what is left out', '{ me { role } recordingStatuses(callIds: ["a"]) @include(if: false) { state } }', 1],
  ['a link', '{ missedCalls(first: 7) { nodes { lead { id name { firstName } } } } }', 10 + 7 + 7],
  ['our field in records', '{ leads(first: 30) { edges { node { id insight { summary } } } } }', 30],
  ['the usual page of records', '{ leads { edges { node { insight { summary } } } } }', 60],
  ['the usual page in a fragment', '{ leads { ...L } } fragment L on LeadConnection { edges { node { insight { summary } } } }', 60],
  ['the usual page in a fragment without a name', '{ leads { ... { edges { node { insight { summary } } } } } }', 60],
  ['a page for each record', '{ leadDuplicates(ids: ["a", "b"]) { edges { node { insight { summary } } } } }', 2 * 60],
  ['a page for each group', '{ leadsGroupBy(groupBy: [{}]) { edges { node { insight { summary } } } } }', 60 * 60],
  ['our field in records that a mutation finds', 'mutation { updateLeads(data: {}, filter: {}) { insight { summary } } }', 200],
  ['a page behind a fragment', '{ leads { ...A } } fragment A on LeadConnection { edges { node { insight { summary } } } }', 60],
  ['a page behind fragments', '{ leads { ... on LeadConnection { ... { e: edges { node { insight { summary } } } } } } }', 60],
  ['pages in pages', '{ leads(first: 5) { edges { node { calls(first: 3) { edges { node { analysis { summary } } } } } } } }', 5 * 3 * 10],
  [
    'our field behind a link',
    '{ missedCalls(first: 2) { nodes { lead { calls(first: 3) { edges { node { analysisStatus { state } } } } } } } }',
    10 + 2 + 2 * (1 + 30),
  ],
  ['our field in written records', 'mutation { createLeads(data: [{}, {}]) { insight { summary } } }', 2],
  ['records that a filter finds', 'mutation { updateLeads(filter: {}, data: {}) { insight { summary } } }', 200],
  ['deleted records', 'mutation { deleteLeads(filter: {}) { insight { summary } } }', 200],
  ['the platform alone', '{ leads(first: 200) { edges { node { id } } } }', 0],
  ['a type of another name', '{ worklist(first: 2) { nodes { ... on SidecarWorklistEntry { callbacks { id } } } } }', 10 + 2 + 20],
])('%s', (_name, source, cost) => {
  expect(costOf(source)).toBe(cost)
})

test('variables count with their values, and with their defaults', () => {
  const list =
    'query($ids: [ID!]! = ["a"], $first: Int = 3, $no: Boolean!) { recordingStatuses(callIds: $ids) { state } missedCalls(first: $first) { nodes { ucid } } me @skip(if: $no) { role } }'
  expect(costOf(list, { no: true })).toBe(1 + 10 + 10 + 3)
  expect(costOf(list, { ids: ['a', 'b', 'b'], first: 200, no: false })).toBe(1 + 20 + 10 + 200 + 1)
  expect(costOf('query($id: ID!) { recordingStatuses(callIds: ["a", $id]) { state } }', { id: 'b' })).toBe(21)
})

test('what is over the limit of an argument costs as much as the limit: its own error says more', () => {
  expect(costOf('{ missedCalls(first: 1000000000) { nodes { ucid } } }')).toBe(210)
  expect(
    costOf('query($ids: [ID!]!) { recordingStatuses(callIds: $ids) { state } }', {
      ids: Array.from({ length: 9_000 }, (_, index) => String(index)),
    }),
  ).toBe(5_001)
})

const bombs = {
  'lists in lists': '{ __schema { types { fields { type { ofType { fields { name description } } fields { name description } } } } } }',
  'input in input': '{ __schema { types { fields { args { type { inputFields { type { inputFields { name } } } } } } } } }',
  'many times the whole schema':
    '{ a: __schema { ...S } b: __schema { ...S } c: __schema { ...S } } fragment S on __Schema { types { fields { name args { name } } inputFields { name } enumValues { name } } }',
  'many types': `{ ${Array.from({ length: 60 }, (_, index) => `a${index}: __type(name: "Query") { fields { type { fields { args { type { inputFields { name } } } } } } }`).join(' ')} }`,
}

test('tools may read the whole schema; what reads it many times over costs too much', () => {
  const whole = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
  })
  expect(costOf(whole)).toBeGreaterThan(mostCost / 4)
  expect(costOf(whole)).toBeLessThanOrEqual(mostCost / 2)
  expect(costOf('{ __schema { queryType { name } } __type(name: "Lead") { kind fields { name type { name ofType { name } } } } }')).toBe(1)
  for (const [name, bomb] of Object.entries(bombs)) expect(costOf(bomb), name).toBeGreaterThan(mostCost)
})

/** The longest value of each argument; other arguments do not matter. */
function dearestUse({ name, args }: GraphQLField<unknown, unknown>): string {
  const given = args.flatMap((argument) => {
    const limit = limitOf(argument.astNode)
    if (isListType(getNullableType(argument.type))) {
      return `${argument.name}: [${Array.from({ length: limit?.maxItems ?? 0 }, (_, index) => `"${index}"`).join(', ')}]`
    }
    return argument.name === 'first' ? `first: ${limit?.maximum ?? 0}` : []
  })
  return given.length === 0 ? name : `${name}(${given.join(', ')})`
}

test('every list, page and range of a root field has a price, and each field can be asked for as a whole', () => {
  const faults = rootFields.flatMap((field) => {
    if (!field.astNode) return [`${field.name}: not in the contract`]
    const { list, page, range } = costRuleOf(field.astNode, true)
    const lists = field.args.filter(({ type }) => isListType(getNullableType(type)))
    const names = new Set(field.args.map(({ name }) => name))
    return [
      ...(lists.length > 1 ? [`${field.name}: two lists, and only one has a price`] : []),
      ...(lists.length === 1 && (list === null || limitOf(lists[0]?.astNode)?.maxItems === undefined)
        ? [`${field.name}: a list without maxItems`]
        : []),
      ...(names.has('first') && (page === null || page > 1_000) ? [`${field.name}: a page without a maximum`] : []),
      ...(names.has('from') && names.has('to') && !range && page === null && costRuleOf(field.astNode, true).base < 100
        ? [`${field.name}: a range without perDay, base or a page`]
        : []),
    ]
  })
  expect(faults).toEqual([])
  const kinds = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const
  const costs = kinds.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({
      name: field.name,
      cost: costOf(`${kind} { ${dearestUse(field)} { __typename } }`),
    })),
  )
  expect(costs.filter(({ cost }) => !(cost >= 1 && cost <= mostCost))).toEqual([])
})

test('lists in the objects of the input are short', () => {
  const long = rootFields.flatMap(({ name, args }) =>
    args.flatMap(({ type }) => {
      const named = getNamedType(type)
      const fields = isInputObjectType(named) ? Object.values(named.getFields()) : []
      return fields
        .filter((field) => isListType(getNullableType(field.type)) && (limitOf(field.astNode)?.maxItems ?? 1_000) > 50)
        .map((field) => `${name}: ${field.name}`)
    }),
  )
  expect(long).toEqual([])
})

test('the table of added fields has each of them', () => {
  const added = platformExtensions(objectNames(platformSection.parse({}))).map(({ fieldName, source }) => [fieldName, source.rootField])
  expect([...addedFieldSources]).toEqual(added)
})

/** Documents that the console, the typed client and the documentation send. */
function ordinaryDocuments(): readonly { readonly from: string; readonly source: string }[] {
  const sources = globSync(['src/web/**/*.{ts,tsx}', 'tests/clients/**/*.{ts,tsx}', 'src/commands/**/*.ts', 'packages/client/src/**/*.ts'])
  const inCode = sources.flatMap((from) =>
    [...readFileSync(from, 'utf8').matchAll(/(?:graphql`|graphql\(\s*(?:\/\* GraphQL \*\/ )?[`'])([^`]*?)[`']/g)].map(
      ([, source = '']) => ({ from, source }),
    ),
  )
  const inDocs = globSync(['docs/*.md', 'README.md', 'packages/client/README.md']).flatMap((from) =>
    docExamples(from)
      .filter(({ language }) => language === 'graphql')
      .map(({ text }) => ({ from, source: text })),
  )
  return [...inCode, ...inDocs]
}

test('what the console, the clients and the documentation ask for costs far less than the limit', () => {
  const found = ordinaryDocuments()
  const parsed = found.flatMap(({ from, source }) => {
    try {
      return [{ from, document: parse(source) }]
    } catch {
      return []
    }
  })
  const fragments = parsed.flatMap(({ document }) => document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION))
  const costs = parsed.flatMap(({ from, document }) =>
    document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION)
      ? costsOf({
          ...document,
          definitions: [...document.definitions.filter(({ kind }) => kind !== Kind.FRAGMENT_DEFINITION), ...fragments],
        }).map((cost) => ({ from, cost }))
      : [],
  )
  expect(costs.length).toBeGreaterThan(100)
  expect(costs.filter(({ cost }) => cost > mostCost / 2)).toEqual([])
})
