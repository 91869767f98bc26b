import * as fc from 'fast-check'
import { validValues } from '../../harness/valid-values.ts'
import type { Description, Operation } from './description.ts'
import { damaged, wildBodies, wildTexts } from './wild.ts'

/** Who sends it: with which token, and from which workspace. */
export const senders = ['manager', 'agent', 'stranger', 'nobody', 'garbage'] as const
export type Sender = (typeof senders)[number]

export type RestRequest = {
  readonly sender: Sender
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Requests for an operation: most of them valid or nearly so, some wild. `known`: IDs and numbers that exist in the sandbox. */
export function restRequests(
  operation: Operation,
  { components }: Pick<Description, 'components'>,
  known: readonly string[],
): fc.Arbitrary<RestRequest> {
  const textsOf = (schema: unknown): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 5, arbitrary: validValues(schema, components).map(asText) },
      { weight: 3, arbitrary: fc.constantFrom(...known) },
      { weight: 2, arbitrary: wildTexts },
    )
  const values = operation.parameters.map(({ name, in: place, required, schema }) =>
    fc
      .option(/^(from|to|date)$/.test(name) ? fc.oneof(textsOf(schema), fc.constant(today())) : textsOf(schema), {
        freq: required ? 30 : 2,
        nil: undefined,
      })
      .map((value) => ({ name, place, value })),
  )
  return fc
    .tuple(fc.tuple(...values), bodiesOf(operation, components, known), senderOf(operation), negotiation)
    .map(([given, body, sender, headers]) => ({
      sender,
      path: pathOf(operation, given),
      headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), ...headers, ...headersOf(given) },
      body,
    }))
}

/** Only some days have a history. */
const today = (): string => new Date().toISOString().slice(0, 10)

type Given = { readonly name: string; readonly place: string; readonly value: string | undefined }

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function pathOf({ path }: Operation, given: readonly Given[]): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.find((one) => one.place === 'path' && one.name === name)?.value || 'x'
    return encodeURIComponent(value.toWellFormed())
  })
  const query = given.filter(({ place, value }) => place === 'query' && value !== undefined)
  const text = new URLSearchParams(query.map(({ name, value = '' }): [string, string] => [name, value])).toString()
  return text === '' ? filled : `${filled}?${text}`
}

function headersOf(given: readonly Given[]): Record<string, string> {
  const own = given.filter(({ place, value }) => place === 'header' && value !== undefined)
  return Object.fromEntries(own.map(({ name, value = '' }) => [name, headerText(value)]))
}

/** What a header may hold: the rest is refused by every client, this one included. */
function headerText(value: string): string {
  return Array.from(value)
    .filter((character) => /^[\x20-\x7e]$/.test(character))
    .join('')
    .slice(0, 4_000)
    .trim()
}

function bodiesOf(
  { requestBody }: Operation,
  components: Description['components'],
  known: readonly string[],
): fc.Arbitrary<string | null> {
  if (!requestBody) return fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: wildBodies })
  const valid = validValues(requestBody.content['application/json'].schema, components)
  const withKnown = fc.tuple(valid, fc.constantFrom(...known)).map(([value, id]) => putKnown(value, id))
  return fc.oneof(
    { weight: 4, arbitrary: valid.map((value) => JSON.stringify(value)) },
    { weight: 3, arbitrary: withKnown.map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: valid.chain(damaged).map((value) => JSON.stringify(value) ?? '') },
    { weight: 2, arbitrary: wildBodies },
    { weight: 1, arbitrary: fc.constant(null) },
  )
}

/** The value with its IDs and numbers replaced by one that exists. */
function putKnown(value: unknown, id: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      /Id$|^ucid$|phoneNumber/.test(name) && typeof part === 'string' ? id : putKnown(part, id),
    ]),
  )
}

function senderOf({ description }: Operation): fc.Arbitrary<Sender> {
  const right = description.includes('role MANAGER') ? 'manager' : 'agent'
  return fc.oneof({ weight: 10, arbitrary: fc.constant<Sender>(right) }, { weight: 5, arbitrary: fc.constantFrom(...senders) })
}

const negotiation: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Readonly<Record<string, string>>>(
      { accept: 'text/html' },
      { accept: 'application/xml;q=0.1' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-encoding': 'gzip' },
      { 'accept-language': 'hi' },
      { prefer: 'return=minimal' },
      { 'x-forwarded-for': 'garbage' },
      { 'idempotency-key': '' },
    ),
  },
)
