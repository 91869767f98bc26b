import * as fc from 'fast-check'
import {
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { z } from 'zod'
import { validValues } from '../valid-values.ts'
import type { Victim } from './victim.ts'

/** A request of the attacker, without the token. */
export type Attempt = {
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Chooses from a list; the same seed chooses the same. */
type Choose = <T>(from: readonly [T, ...T[]] | readonly T[]) => T

function chooser(seed: number): Choose {
  let state = seed
  return (from) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const chosen = from[Math.floor((state / 2 ** 32) * from.length)]
    if (chosen === undefined) throw new Error('there is nothing to choose from')
    return chosen
  }
}

const operationSchema = z.looseObject({
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean(), schema: z.unknown() })).default([]),
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }) }).optional(),
})
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
/** Free texts and references; times, phone numbers and choices stay valid. */
const isReplaceable = (name: string, value: unknown): value is string =>
  typeof value === 'string' && (isUuid(value) || /id$|ucid|key|search|email|after|workspace|agent|subject|clinic|speciality/i.test(name))

/** Days and moments that the operations allow; without them the request is refused before an id is read. */
function valueAtATime(name: string, given: string): string | null {
  if (name === 'dueAt') return new Date(Date.now() + 3_600_000).toISOString()
  return /^(from|to|date)$/.test(name) && !/^\d{4}-.*T/.test(given) ? new Date().toISOString().slice(0, 10) : null
}

/** The same value with the victim's ids and names in it. */
function withForeign(value: unknown, foreign: (value: string, name: string) => string, name = ''): unknown {
  if (isReplaceable(name, value)) return foreign(value, name)
  if (typeof value === 'string') return valueAtATime(name, value) ?? value
  if (Array.isArray(value)) return value.map((item: unknown) => withForeign(item, foreign, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withForeign(member, foreign, key)]))
}

/** These take a credential: `credentialAttempts` has them. */
const takesCredential = /refresh|\/auth\/tokens|exchangeLoginToken/

/** For every REST operation, `rounds` requests that are valid by the description, with the victim's ids in path, query and body. */
export function restAttempts(description: unknown, victim: Victim, { rounds, seed }: { rounds: number; seed: number }): readonly Attempt[] {
  const { paths, components } = documentSchema.parse(description)
  const choose = chooser(seed)
  const foreign = (value: string, name: string): string =>
    choose(victim.named[name] ?? (isUuid(value) ? victim.uuids : [...victim.texts, ...victim.uuids]))
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters, requestBody }]): Attempt[] => {
      if (takesCredential.test(path)) return []
      const inUrl = parameters.filter((one) => one.in === 'path' || one.in === 'query')
      const given = fc.record(Object.fromEntries(inUrl.map(({ name, schema }) => [name, validValues(schema, components.schemas)])))
      const schema = requestBody?.content['application/json'].schema
      const body = schema === undefined ? fc.constant(undefined) : validValues(schema, components.schemas)
      return fc.sample(fc.record({ given, body }), { numRuns: rounds, seed }).map((sample) => {
        const values = z.record(z.string(), z.unknown()).parse(withForeign(sample.given, foreign))
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(values[name])))
        // A foreign cursor alone refuses the request before anything else is read: not every request has one.
        const inQuery = inUrl.filter((one) => one.in === 'query' && (one.required || choose([true, false])))
        const query = new URLSearchParams(inQuery.map(({ name }): [string, string] => [name, textOf(values[name])]))
        return {
          operation: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path: `${filled}?${query.toString()}`,
          headers: foreignHeaders(victim, choose),
          body: withForeign(sample.body, foreign),
        }
      })
    }),
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

/** Headers by which a proxy, another service or an older client might name a workspace. */
function foreignHeaders({ uuids, texts, secrets }: Victim, choose: Choose): Readonly<Record<string, string>> {
  const id = choose(uuids)
  const host = 'acme.localhost'
  return choose([
    {},
    { 'x-workspace': 'acme', 'x-workspace-id': id },
    { 'x-forwarded-host': host, 'x-original-host': host, forwarded: `host=${host}` },
    { origin: `http://${host}`, referer: `http://${host}/` },
    { cookie: `tokenPair=${secrets.at(-3) ?? ''}; workspaceId=${id}`, 'x-auth-token': secrets.at(-3) ?? '' },
    { 'x-tenant-id': id, 'x-user-id': choose(uuids), 'x-member-id': choose(uuids), 'x-agent-id': choose(texts) },
    { 'x-schema-version': '1', 'x-graphql-workspace': 'acme', 'x-forwarded-for': '203.0.113.7', 'x-request-id': id },
  ])
}

/** For every root field of the sidecar, `rounds` operations with the victim's ids as arguments. */
export function graphqlAttempts(
  schema: GraphQLSchema,
  victim: Victim,
  { rounds, seed }: { rounds: number; seed: number },
): readonly Attempt[] {
  const choose = chooser(seed)
  const roots = [
    ...Object.values(schema.getQueryType()?.getFields() ?? {}).map((field) => ['query', field] as const),
    ...Object.values(schema.getMutationType()?.getFields() ?? {}).map((field) => ['mutation', field] as const),
    ...Object.values(schema.getSubscriptionType()?.getFields() ?? {}).map((field) => ['subscription', field] as const),
  ]
  return roots
    .filter(([, { name }]) => !takesCredential.test(name))
    .flatMap(([kind, field]) =>
      // Streams without an argument are the same each time, and take a second.
      Array.from({ length: kind === 'subscription' && field.args.length === 0 ? 1 : rounds }, (): Attempt => {
        const given = field.args.filter((argument) => isRequiredArgument(argument) || choose([true, true, false]))
        const variables = Object.fromEntries(given.map(({ name, type }) => [name, inputOf(type, { name, victim, choose })]))
        const declared = given.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')
        const used = given.map(({ name }) => `${name}: $${name}`).join(', ')
        const call = `${field.name}${used === '' ? '' : `(${used})`}${selectionOf(field.type, 3)}`
        const query = `${kind}${declared === '' ? '' : `(${declared})`} { ${call} }`
        const accept = kind === 'subscription' ? { accept: 'text/event-stream' } : {}
        const headers = { ...foreignHeaders(victim, choose), ...accept }
        return { operation: `${kind} ${field.name}`, method: 'POST', path: '/graphql', headers, body: { query, variables } }
      }),
    )
}

function selectionOf(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  if (!isObjectType(named)) return ' { __typename }'
  const fields = Object.values(named.getFields()).flatMap((field): string[] => {
    if (field.args.some(isRequiredArgument)) return []
    const isLeaf = isLeafType(getNamedType(field.type))
    return isLeaf || depth > 1 ? [`${field.name}${selectionOf(field.type, depth - 1)}`] : []
  })
  return ` { __typename ${fields.join(' ')} }`
}

type Position = { readonly name: string; readonly victim: Victim; readonly choose: Choose }

function inputOf(type: GraphQLInputType, position: Position): unknown {
  const { name, victim, choose } = position
  if (isNonNullType(type)) return inputOf(type.ofType, position)
  if (isListType(type)) return [inputOf(type.ofType, position)]
  if (isEnumType(type)) return choose(type.getValues()).name
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || choose([true, false]))
    return Object.fromEntries(fields.map((field) => [field.name, inputOf(field.type, { ...position, name: field.name })]))
  }
  if (type.name === 'Int') return 1
  if (type.name === 'Float') return 1
  if (type.name === 'Boolean') return choose([true, false])
  if (type.name === 'DateTime') return new Date(Date.now() + 3_600_000).toISOString()
  if (type.name === 'ConfigurationDocument' || type.name === 'JSON') return { workspaceId: choose(victim.uuids) }
  if (/phone|number/i.test(name)) return '+919820011111'
  const time = valueAtATime(name, '')
  if (time !== null) return time
  const named = victim.named[name]
  if (named) return choose(named)
  return choose(/uuid|id$/i.test(name) ? [...victim.uuids, ...victim.uuids, ...victim.texts] : [...victim.texts, ...victim.uuids])
}

const platformObjects = ['agent', 'lead', 'call', 'doctor', 'visitSlot', 'workspaceMember', 'note', 'task'] as const

/** Root fields of the platform, alone and beside fields of the sidecar, and the files that have a path of their own. */
export function platformAttempts(victim: Victim, { rounds, seed }: { rounds: number; seed: number }): readonly Attempt[] {
  const choose = chooser(seed)
  return Array.from({ length: rounds }).flatMap((): Attempt[] => {
    const id = choose(victim.uuids)
    const headers = foreignHeaders(victim, choose)
    const operations = platformObjects.flatMap((object) => {
      const type = object.charAt(0).toUpperCase() + object.slice(1)
      const insight = object === 'lead' ? ' insight { summary }' : ''
      return [
        `{ ${object}(filter: { id: { eq: "${id}" } }) { id${insight} } me { role } }`,
        `{ ${object}s(filter: { id: { in: ["${id}", "${choose(victim.uuids)}"] } }) { edges { node { id } } } }`,
        `mutation { update${type}(id: "${id}", data: {}) { id } }`,
        `mutation { delete${type}(id: "${id}") { id } }`,
      ]
    })
    const metadata = [
      // The platform tells everybody the id of a workspace: `getPublicWorkspaceDataByDomain`.
      '{ currentWorkspace { id displayName subdomain } }',
      `mutation { deleteUserFromWorkspace(workspaceMemberIdToDelete: "${id}") { id } }`,
    ]
    return [
      ...operations.map((query) => ({
        operation: query.replaceAll(/"[^"]*"/g, '_'),
        method: 'POST',
        path: '/graphql',
        headers,
        body: { query },
      })),
      ...metadata.map((query) => ({ operation: query.slice(0, 40), method: 'POST', path: '/metadata', headers, body: { query } })),
      {
        operation: 'GET audio',
        method: 'GET',
        path: `/api/recordings/${choose([...victim.uuids, ...victim.texts])}/audio`,
        headers,
        body: undefined,
      },
      { operation: 'GET schema', method: 'GET', path: '/schema.graphql', headers, body: undefined },
    ]
  })
}
