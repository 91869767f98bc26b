import { readdirSync, readFileSync } from 'node:fs'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { getDirective, isAsyncIterable, isPromise, mapAsyncIterator } from '@graphql-tools/utils'
import {
  defaultFieldResolver,
  type FieldDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLScalarType,
  type GraphQLSchema,
  isCompositeType,
  isIntrospectionType,
  isListType,
  isObjectType,
  isScalarType,
  Kind,
  parse,
} from 'graphql'
import { type ApplicationRole, applicationRoles } from '../../access/principal.ts'
import type { RequestContext } from '../../access/request-context.ts'
import { requireConfirmed, requireRole } from '../../access/require-role.ts'
import type { Resolvers } from '../../generated.ts'
import { invalidFields } from '../../kernel/errors.ts'
import { withLimitDescriptions } from './input-limits/describe-limits.ts'
import { withArgumentPaths } from './input-limits/argument-paths.ts'
import { limitFaults } from './input-limits/limit-faults.ts'
import { nextSlice } from '../../kernel/loop-slices.ts'
import { dateTimeScalar } from './date-time.ts'
import { withinLimit } from './root-field-limit.ts'

const contractDirectory = new URL('../../../schema/', import.meta.url)

/** The contract as one document, from the files of `schema/`, which are read once. The descriptions of the input have its limits. */
export function readContract(directory?: URL): string {
  if (directory) return contractIn(directory)
  ownContract ??= contractIn(contractDirectory)
  return ownContract
}

let ownContract: string | undefined
function contractIn(directory: URL): string {
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.graphql'))
    .sort()
  return withLimitDescriptions(files.map((name) => readFileSync(new URL(name, directory), 'utf8')).join('\n'))
}

/** The contract with the providers that it does not name: those that are given to the app, and not in the registry. */
export function withProviders(contract: string, providers: readonly { readonly id: string; readonly title: string }[]): string {
  const named = parse(contract, { noLocation: true }).definitions.flatMap((definition) =>
    definition.kind === Kind.ENUM_TYPE_DEFINITION && definition.name.value === 'TelephonyProvider' ? (definition.values ?? []) : [],
  )
  const others = providers.filter(({ id }) => !named.some(({ name }) => name.value === id))
  if (others.length === 0) return contract
  return `${contract}\nextend enum TelephonyProvider {\n${others.map(({ id, title }) => `  ${JSON.stringify(title)}\n  ${id}\n`).join('')}}\n`
}

/** The names of this service's root fields, from its contract. They are reserved. */
export function ownRootFields(contract: string): readonly string[] {
  return parse(contract, { noLocation: true }).definitions.flatMap((definition) => {
    const isType = definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION
    if (!isType || !['Query', 'Mutation', 'Subscription'].includes(definition.name.value)) return []
    return (definition.fields ?? []).map((field: FieldDefinitionNode) => field.name.value)
  })
}

export type LocalSchemaOptions = {
  /** One per feature, with its own fields only. */
  readonly resolvers: readonly Resolvers[]
  readonly typeDefs?: string
}

/**
 * The sidecar's own schema. It enforces `@auth`, `@public` and `@limit` for every handler: a root field resolves only for a principal with the
 * required role, and every field only with input within its limits. Throws if a root field has neither directive, both, or no resolver.
 */
export function createLocalSchema({ resolvers, typeDefs = readContract() }: LocalSchemaOptions): GraphQLSchema {
  const schema = makeExecutableSchema<RequestContext>({
    typeDefs,
    noLocation: true,
    // `npm run check` validates it.
    assumeValid: true,
    assumeValidSDL: true,
    resolvers: [...resolvers, { DateTime: dateTimeScalar }],
    updateResolversInPlace: true,
    inheritResolversFromInterfaces: true,
  })
  const roots = new Set(['Query', 'Mutation', 'Subscription'])
  for (const type of Object.values(schema.getTypeMap())) {
    if (isScalarType(type)) restoreDescription(type)
    if (!isObjectType(type) || isIntrospectionType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (roots.has(type.name)) guard(field, { schema, name: `${type.name}.${field.name}` })
      else addLimits(field)
    }
  }
  return schema
}

/** A scalar of a feature replaces the contract's scalar and its description. */
function restoreDescription(scalar: GraphQLScalarType): void {
  scalar.description ??= scalar.astNode?.description?.value
}

type Field = GraphQLField<unknown, RequestContext>

function guard(field: Field, { schema, name }: { schema: GraphQLSchema; name: string }): void {
  const isPublic = getDirective(schema, field, 'public')?.length === 1
  const auth = getDirective(schema, field, 'auth')?.[0]
  if (isPublic === (auth !== undefined)) throw new Error(`${name} must have exactly one of @auth and @public`)
  if (!field.resolve && !field.subscribe) throw new Error(`${name} has no resolver`)
  const { resolve = defaultFieldResolver, subscribe } = field
  const args = byName(field.args)
  const least = auth ? roleOf(auth['role'], name) : null
  const confirmed = auth?.['confirmed'] === true
  const guarded = (then: Resolve, waits: boolean): Resolve => afterChecks({ least, confirmed, args, waits }, then)
  field.resolve = guarded(subscribe ? resolve : async (...given) => inPieces(await resolve(...given)), subscribe === undefined)
  if (subscribe) field.subscribe = guarded(async (...given) => inSlices(await subscribe(...given)), false)
}

/**
 * A field inside an answer. One that takes arguments, such as a list with `first` and `after`, has their limits. Who may use it is decided at the
 * root.
 */
function addLimits(field: Field): void {
  const { resolve = defaultFieldResolver, args } = field
  if (args.length > 0) field.resolve = afterChecks({ least: null, confirmed: false, args: byName(args), waits: false }, resolve)
  else if (isListOfObjects(field)) {
    // oxlint-disable-next-line max-params -- the signature is graphql's
    field.resolve = (source, given, context, info) => {
      const entries: unknown = resolve(source, given, context, info)
      return isPromise(entries) ? entries.then(inPieces) : inPieces(entries)
    }
  }
}

type Resolve = GraphQLFieldResolver<unknown, RequestContext, Readonly<Record<string, unknown>>>

/** As many entries of a list are completed in one piece. */
const entriesAtOnce = 20

function byName(args: readonly GraphQLArgument[]): Checks['args'] {
  return Object.fromEntries(args.map((argument) => [argument.name, argument]))
}

function isListOfObjects({ type }: Field): boolean {
  return isListType(getNullableType(type)) && isCompositeType(getNamedType(type))
}

/** Completes a long list of objects in slices of the event loop: graphql would complete thousands of rows in one task. */
function inPieces(entries: unknown): unknown {
  if (!Array.isArray(entries) || entries.length <= entriesAtOnce) return entries
  let slice: Promise<void> | null = null
  return entries.map((entry: unknown, index) => {
    if (index % entriesAtOnce === 0) slice = index === 0 ? null : nextSlice()
    return slice ? slice.then(() => entry) : entry
  })
}

/** Thousands of streams may wait for the same read and then show the same event: each event is executed in a slice of the event loop. */
function inSlices(events: unknown): unknown {
  if (!isAsyncIterable(events)) return events
  return mapAsyncIterator(events, async (event: unknown) => {
    await nextSlice()
    return event
  })
}

type Checks = {
  readonly least: ApplicationRole | null
  /** Whether the platform's last word on the member is not enough. */
  readonly confirmed: boolean
  readonly args: Readonly<Record<string, GraphQLArgument>>
  /** A root field, of which only few of a request run at once. */
  readonly waits: boolean
}

/** The role comes first: a stranger learns nothing about the input. */
function afterChecks({ least, confirmed, args, waits }: Checks, resolve: Resolve): Resolve {
  // oxlint-disable-next-line max-params -- the signature is graphql's
  const checked: Resolve = async (source, given, context, info) => {
    if (least !== null) {
      const principal = await context.principal()
      requireRole(principal, least)
      if (confirmed) requireConfirmed(principal)
    }
    const faults = limitFaults(args, given)
    if (faults.length > 0) throw invalidFields(faults)
    try {
      // oxlint-disable-next-line typescript/await-thenable -- resolvers may return values and promises
      return await resolve(source, given, context, info)
    } catch (error) {
      throw withArgumentPaths(error, args)
    }
  }
  // oxlint-disable-next-line max-params -- the signature is graphql's
  return waits ? (source, given, context, info) => withinLimit(context, async () => checked(source, given, context, info)) : checked
}

function roleOf(value: unknown, name: string): ApplicationRole {
  const role = applicationRoles.find((known) => known === (value ?? 'USER'))
  if (!role) throw new Error(`${name}: @auth must name one of the roles ${applicationRoles.join(', ')}`)
  return role
}
