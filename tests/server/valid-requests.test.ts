import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { RestAnswer } from '../harness/app.ts'
import { validValues } from '../harness/valid-values.ts'
import { createWidgetDesk, type WidgetDesk, site } from '../harness/widget-desk.ts'

/** Requests that are valid by the published description. A refusal of its values has a reason that the description states. */

const operationSchema = z.looseObject({
  operationId: z.string(),
  description: z.string(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean(), schema: z.unknown() })).default([]),
  requestBody: z.object({ required: z.boolean(), content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }) }).optional(),
})
type Operation = z.output<typeof operationSchema> & { readonly method: string; readonly path: string }
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})
const problemSchema = z.object({
  code: z.string(),
  detail: z.string(),
  data: z.object({ fields: z.array(z.object({ path: z.string(), message: z.string() })) }).optional(),
})

/** Rules that no schema expresses: the message of the refusal, and the sentence of the description that states the rule. */
const stated: readonly (readonly [message: RegExp, sentence: RegExp])[] = [
  [/must have a letter or a digit|must have at most 20 words/, /has no letter or digit/],
  [/must be a day such as/, /The (first|last)? ?day/],
  [/must not be before from/, /began at this moment or (later|earlier)/],
  [/must be a cursor of this list/, /The cursor of an entry/],
  [/must be after filter\.from|must be at most 92 days after/, /After `from`, at most 92 days/],
  [/is not a telephony provider/, /Which provider: `ozonetel` or `exotel`/],
  [/valid phone number/, /valid phone number/],
  [/is not a phone number/, /phone number: a valid one/],
  [/is required/, /name: not blank/],
  [/give either phoneNumber or ucid/, /exactly one of the two arguments/],
  [/is needed: one of|provider knows no such value/, /one of `callSettings/],
  [/there is no such lead/, /ID of the lead/],
  [/is not a known field/, /The fields of a section as one JSON object/],
  [/must be an origin such as/, /such as `https:\/\/www\.hospital\.example`, without a path/],
  [/must name the workspace/, /Can be left out if the host/],
  [/is not an active agent/, /an active agent of the workspace/],
  [/must be in the future/, /[Ii]n the future, at most 365 days ahead/],
  [/characters of text in all|must not be empty/, /Not blank, and at most 2000 characters of text in all/],
]

let desk: WidgetDesk
let agentToken: string
let visits = 0
let operations: readonly Operation[]
let components: Readonly<Record<string, unknown>>
beforeAll(async () => {
  desk = await createWidgetDesk({ environment: { TRUST_PROXY: 'loopback' } })
  const document = documentSchema.parse((await desk.app.rest('GET', '/openapi.json')).body)
  components = document.components.schemas
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
  agentToken = (await desk.app.signIn('agent1@demo.example')).token
})
afterAll(() => desk[Symbol.asyncDispose]())

type Given = { readonly parameters: Readonly<Record<string, unknown>>; readonly body: unknown }

function requestsOf({ parameters, requestBody }: Operation): fc.Arbitrary<Given> {
  const values = parameters
    .filter((one) => one.in === 'path' || one.in === 'query')
    .map(({ name, schema }): [string, fc.Arbitrary<unknown>] => [name, validValues(schema, components)])
  const requiredKeys = parameters.filter(({ required }) => required).map(({ name }) => name)
  const body = requestBody ? validValues(requestBody.content['application/json'].schema, components) : fc.constant(undefined)
  return fc.record({
    parameters: fc.record(Object.fromEntries(values), { requiredKeys: requiredKeys, noNullPrototype: true }),
    body: requestBody?.required === false ? fc.option(body, { nil: undefined }) : body,
  })
}

async function send({ method, path, parameters, description }: Operation, given: Given): Promise<RestAnswer> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given.parameters[name])))
  const query = new URLSearchParams()
  for (const one of parameters) {
    const value = given.parameters[one.name]
    if (one.in === 'query' && value !== undefined) for (const item of [value].flat()) query.append(one.name, textOfValue(item))
  }
  const token = description.includes('role MANAGER') ? desk.token : agentToken
  const isVisit = path.startsWith('/api/widget/')
  return desk.app.rest(method, `${filled}?${query.toString()}`, {
    // Each visit from an address of its own, within the rate limits.
    ...(isVisit ? { headers: { origin: site, 'x-widget-key': desk.key, 'x-forwarded-for': `198.51.100.${(visits += 1)}` } } : { token }),
    ...(given.body === undefined ? {} : { body: given.body }),
  })
}

function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Why the answer is not what the description promises; null if it is. */
function complaint(operation: Operation, { status, body }: RestAnswer): string | null {
  if (status === 429 || status === 500 || status === 502) return `${status} ${JSON.stringify(body)}`
  if (status !== 400) return null
  const { detail, data } = problemSchema.parse(body)
  const text = textOf(operation)
  const faults = data?.fields ?? [{ path: '?', message: detail }]
  const unstated = faults.find(({ message }) => !stated.some(([refusal, sentence]) => refusal.test(message) && sentence.test(text)))
  return unstated ? `${unstated.path.replaceAll(/\d+/g, '*')} ${unstated.message}` : null
}

/** The operation with all schemas that it names. */
function textOf(operation: Operation): string {
  const names = new Set<string>()
  const collect = (text: string): string =>
    [
      text,
      ...[...text.matchAll(/#\/components\/schemas\/(\w+)/g)].flatMap(([, name = '']) => {
        if (names.has(name)) return []
        names.add(name)
        return [collect(JSON.stringify(components[name]))]
      }),
    ].join('\n')
  return collect(JSON.stringify(operation))
}

/** Ends what the other operations need. */
const last = new Set(['agentLogout', 'deleteWidgetKey'])

test('no valid request is refused for a reason that the description does not state', async () => {
  const complaints = new Map<string, string>()
  for (const operation of operations.toSorted((a, b) => Number(last.has(a.operationId)) - Number(last.has(b.operationId)))) {
    const { method, path } = operation
    await fc.assert(
      fc.asyncProperty(requestsOf(operation), async (given) => {
        const found = complaint(operation, await send(operation, given))
        if (found !== null) complaints.set(`${method} ${path}: ${found}`, JSON.stringify(given).slice(0, 300))
      }),
      { numRuns: 8, seed: 17 },
    )
  }
  expect(Object.fromEntries(complaints)).toEqual({})
})
