import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { BoundRow } from '../../src/server/rest/bound-row.ts'
import type { RestAnswer } from '../harness/app.ts'
import { askByGraphql, askByRest, createWorld, signedInAgain, withoutChance, type World } from '../harness/graphql-and-rest.ts'
import { description, nameOf, proved, rows, scenarios } from '../rest-scenarios/proved-rows.ts'

test('every row has a scenario, and every scenario has a row', () => {
  expect(Object.keys(scenarios).toSorted()).toEqual(rows.map(nameOf).toSorted())
})

describe('REST and GraphQL return the same answers and the same errors', () => {
  let first: World
  let second: World
  beforeAll(async () => {
    ;[first, second] = await Promise.all([createWorld(), createWorld()])
  })
  afterAll(() => Promise.all([first, second].map((world) => world[Symbol.asyncDispose]())))

  test.each(proved)('%s', async (_name, row, scenario) => {
    const seen: RestAnswer[] = []
    const byRest = await scenario.play(
      askByRest(first.app, row, (answer) => void seen.push(answer)),
      await signedInAgain(first),
    )
    const byGraphql = await scenario.play(askByGraphql(second.app, row), await signedInAgain(second))
    expect(byRest.map((outcome) => ('reason' in outcome ? outcome.reason : 'OK'))).toEqual(scenario.results)
    expect(withoutChance(byRest)).toEqual(withoutChance(byGraphql))
    expect(seen.length).toBe(scenario.results.filter((outcome) => outcome === 'OK').length)
    for (const answer of seen) expectDescribed(row, answer)
  })
})
/** Where JSON Schema has the definitions, not OpenAPI. */
function withOwnRefs(described: unknown): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(described).replaceAll('#/components/schemas/', '#/$defs/')
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
}

const definitions = withOwnRefs(description.components.schemas)

/** The answer is what the description says: status, and the JSON Schema of its body, with nothing left out. */
function expectDescribed(row: BoundRow, { status, body }: RestAnswer): void {
  const responses = description.paths[row.path]?.[row.method.toLowerCase()]?.responses
  const described = responses?.[String(status)]?.content['application/json']?.schema
  expect(described).toBeDefined()
  const whole: Record<string, unknown> = { ...withOwnRefs(described), $defs: definitions }
  const parsed = z.fromJSONSchema(whole).safeParse(body)
  expect(parsed.error?.issues ?? []).toEqual([])
}
