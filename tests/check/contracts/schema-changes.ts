import { CriticalityLevel, diff, DiffRule } from '@graphql-inspector/core'
import { getDirective } from '@graphql-tools/utils'
import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type InputValueDefinitionNode,
} from 'graphql'
import { applicationRoles } from '../../../src/access/principal.ts'
import { limitOf } from '../../../src/server/graphql/input-limits/input-limit.ts'
import type { BreakingChange } from './change.ts'

/** What breaks clients of the GraphQL schema: what graphql-inspector says, a higher role, and narrower limits. */
export async function schemaChanges(before: string, after: string): Promise<readonly BreakingChange[]> {
  const [old, current] = [buildSchema(before), buildSchema(after)]
  const changes = await diff(old, current, [DiffRule.simplifyChanges])
  // Of our directives only roles and limits concern clients: see below.
  const breaking = changes.filter(
    ({ type, criticality }) => criticality.level === CriticalityLevel.Breaking && !String(type).startsWith('DIRECTIVE_USAGE'),
  )
  return [
    ...breaking.map(({ path = '', message }) => changeAt(path, message, replacedType({ path, old, current }))),
    ...inputsOf(current).flatMap((input) => narrowedLimits(input, inputAt(old, input.path))),
    ...fieldsOf(current).flatMap(({ path, field }) => raisedRole({ path, field, old, current })),
  ]
}

const roots = new Set(['Query', 'Mutation', 'Subscription'])

function changeAt(path: string, message: string, replaced: readonly string[] = []): BreakingChange {
  const parts = path.split('.')
  const within = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('.'))
  return { contract: 'GraphQL', name: path, within: [...within.filter((name) => !roots.has(name)), ...replaced], message }
}

/** The former type of a field or argument, if the schema no longer has it: then the changelog may name the type once for all its fields. */
function replacedType({ path, old, current }: { path: string; old: GraphQLSchema; current: GraphQLSchema }): readonly string[] {
  const [typeName = '', fieldName = '', argumentName] = path.split('.')
  const type = old.getType(typeName)
  const hasFields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
  const field = hasFields ? type.getFields()[fieldName] : undefined
  const argument = field && 'args' in field ? field.args.find(({ name }) => name === argumentName) : undefined
  const named = (argument ?? field)?.type.toString().replaceAll(/[[\]!]/g, '')
  return named !== undefined && !current.getType(named) ? [named] : []
}

type Input = { readonly path: string; readonly node: InputValueDefinitionNode | null | undefined }

function inputsOf(schema: GraphQLSchema): readonly Input[] {
  const ofTypes = Object.values(schema.getTypeMap()).flatMap((type) => (isInputObjectType(type) ? inputFieldsOf(type) : []))
  const ofArguments = fieldsOf(schema).flatMap(({ path, field }) =>
    field.args.map(({ name, astNode }) => ({ path: `${path}.${name}`, node: astNode })),
  )
  return [...ofTypes, ...ofArguments]
}

function inputFieldsOf(type: GraphQLNamedType): readonly Input[] {
  if (!isInputObjectType(type)) return []
  return Object.values(type.getFields()).map(({ name, astNode }) => ({ path: `${type.name}.${name}`, node: astNode }))
}

const inputMaps = new WeakMap<GraphQLSchema, ReadonlyMap<string, Input>>()

function inputAt(schema: GraphQLSchema, path: string): Input | null {
  const known = inputMaps.get(schema) ?? new Map(inputsOf(schema).map((input) => [input.path, input]))
  inputMaps.set(schema, known)
  return known.get(path) ?? null
}

function narrowedLimits({ path, node }: Input, before: Input | null): readonly BreakingChange[] {
  const limit = limitOf(node)
  if (!before || !limit) return []
  const old = limitOf(before.node)
  // No least length is a least length of 0.
  const least = (['minLength', 'minimum', 'minItems'] as const).filter((name) => {
    const none = name === 'minimum' ? -Infinity : 0
    return (limit[name] ?? none) > (old?.[name] ?? none)
  })
  const most = (['maxLength', 'maximum', 'maxItems'] as const).filter((name) => (limit[name] ?? Infinity) < (old?.[name] ?? Infinity))
  const form = old && old.form !== limit.form && limit.form.description !== '' ? ['form'] : []
  return [...least, ...most, ...form].map((name) => changeAt(path, `Limit ${name} of ${path} became narrower`))
}

type Field = { readonly path: string; readonly field: GraphQLField<unknown, unknown> }

function fieldsOf(schema: GraphQLSchema): readonly Field[] {
  return Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__')
      ? Object.values(type.getFields()).map((field) => ({ path: `${type.name}.${field.name}`, field }))
      : [],
  )
}

function raisedRole({ path, field, old, current }: Field & { old: GraphQLSchema; current: GraphQLSchema }): readonly BreakingChange[] {
  const [typeName = '', fieldName = ''] = path.split('.')
  const type = old.getType(typeName)
  const former = isObjectType(type) ? type.getFields()[fieldName] : undefined
  if (!former || rankOf(field, current) <= rankOf(former, old)) return []
  return [changeAt(path, `${path} requires a higher role`)]
}

/** -1 for a public field. */
function rankOf(field: GraphQLField<unknown, unknown>, schema: GraphQLSchema): number {
  const auth = getDirective(schema, field, 'auth')?.[0]
  return auth ? applicationRoles.findIndex((role) => role === (auth['role'] ?? 'USER')) : -1
}
