import { buildSchema, type GraphQLSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import { type FieldModel, type FieldUse, type ObjectModel, typeNameOf } from './data-model.ts'
import { compositeKinds } from './composite-kinds.ts'
import { compositeTypes, type ScalarType } from './field-types.ts'
import { capitalized } from './json.ts'
import { compositeSdl, sharedSdl } from './record-schema-parts.ts'
import { scalarKinds } from './scalar-kinds.ts'
import type { WorkspaceModel } from './workspace-model.ts'

const schemas = new LRUCache<string, GraphQLSchema>({ max: 8, memoMethod: (sdl) => buildSchema(sdl, { assumeValid: true }) })

/** The GraphQL schema of a workspace's records, for introspection and validation; records are read without it. Equal ones are one. */
export function buildRecordSchema(model: WorkspaceModel): GraphQLSchema {
  return schemas.memo(recordSdl(model))
}

/** The SDL of all objects: types, connections, filters, orders, inputs, root fields. */
function recordSdl(model: WorkspaceModel): string {
  const objects = model.objects()
  const queries = objects.flatMap(queryFields)
  const mutations = objects.flatMap(mutationFields)
  return [
    sharedSdl,
    ...compositeTypes.map(compositeSdl),
    ...objects.map((object) => objectSdl(object, model.uses(object))),
    `type Query {\n${queries.join('\n')}\n}`,
    `type Mutation {\n${mutations.join('\n')}\n}`,
  ].join('\n')
}

function connectionArgs(name: string): string {
  return `after: String, before: String, filter: ${name}FilterInput, first: Int, last: Int, offset: Int, orderBy: [${name}OrderByInput]`
}

function queryFields(object: ObjectModel): string[] {
  const name = typeNameOf(object)
  return [
    `${object.nameSingular}(filter: ${name}FilterInput!): ${name}`,
    `${object.namePlural}(${connectionArgs(name)}): ${name}Connection`,
    `${object.namePlural}GroupBy(filter: ${name}FilterInput, groupBy: [${name}GroupByInput!]!): [${name}GroupByConnection!]`,
  ]
}

function mutationFields(object: ObjectModel): string[] {
  const name = typeNameOf(object)
  const many = capitalized(object.namePlural)
  const onIds = ['delete', 'destroy', 'restore'].flatMap((verb) => [
    `${verb}${name}(id: UUID!): ${name}`,
    `${verb}${many}(filter: ${name}FilterInput!): [${name}!]`,
  ])
  return [
    `create${name}(data: ${name}CreateInput!, upsert: Boolean): ${name}`,
    `create${many}(data: [${name}CreateInput!]!, upsert: Boolean): [${name}!]`,
    `update${name}(data: ${name}UpdateInput!, id: UUID!): ${name}`,
    `update${many}(data: ${name}UpdateInput!, filter: ${name}FilterInput!): [${name}!]`,
    ...onIds,
  ]
}

function objectSdl(object: ObjectModel, uses: ReadonlyMap<string, FieldUse>): string {
  const name = typeNameOf(object)
  const entries = [...uses]
  const types = entries.map(([field, use]) => ({ field, ...typesOf(object, field, use) }))
  const fields = types.map(({ field, args = '', output }) => `${field}${args}: ${output}`).join('\n')
  const inputs = (kind: 'filter' | 'order' | 'group' | 'create' | 'update'): string =>
    types.flatMap(({ field, [kind]: type }) => (type === undefined ? [] : `${field}: ${type}`)).join('\n')
  const enums = entries.flatMap(([, use]) => (use.kind === 'scalar' ? enumSdl(object, use.field) : []))
  return `
    type ${name} {\n${fields}\n}
    type ${name}Connection { edges: [${name}Edge!]! pageInfo: PageInfo! totalCount: Int }
    type ${name}GroupByConnection { edges: [${name}Edge!]! pageInfo: PageInfo! totalCount: Int groupByDimensionValues: JSON! }
    type ${name}Edge { cursor: Cursor! node: ${name}! }
    input ${name}FilterInput {\nand: [${name}FilterInput]\nor: [${name}FilterInput]\nnot: ${name}FilterInput\n${inputs('filter')}\n}
    input ${name}OrderByInput {\n${inputs('order')}\n}
    input ${name}GroupByInput {\n${inputs('group')}\n}
    input ${name}CreateInput {\n${inputs('create')}\n}
    input ${name}UpdateInput {\n${inputs('update')}\n}
    input ${name}RelationInput { connect: ${name}ConnectInput disconnect: Boolean }
    input ${name}ConnectInput { where: ${name}WhereUniqueInput }
    input ${name}WhereUniqueInput { id: ID }
    ${enums.join('\n')}`
}

/** `LeadStatusEnum`. */
function enumNameOf(object: ObjectModel, field: FieldModel): string {
  return `${typeNameOf(object)}${capitalized(field.name)}Enum`
}

function enumSdl(object: ObjectModel, field: FieldModel): string[] {
  if (!field.options || field.options.length === 0) return []
  const name = enumNameOf(object, field)
  const values = field.options.map(({ value }) => value).join(' ')
  const filter = `eq: ${name} neq: ${name} in: [${name}] containsAny: [${name}] is: FilterIs isEmptyArray: Boolean`
  return [`enum ${name} { ${values} }`, `input ${name}Filter { ${filter} }`]
}

function scalarName(object: ObjectModel, field: FieldModel, type: ScalarType): string {
  if (!field.options || field.options.length === 0) return scalarKinds[type].graphqlName
  return type === 'MULTI_SELECT' ? `[${enumNameOf(object, field)}]` : enumNameOf(object, field)
}

/** How the types of a schema name one field; what is left out, the field does not have. */
type FieldTypes = {
  readonly args?: string
  readonly output: string
  readonly filter?: string
  readonly order?: string
  readonly group?: string
  readonly create?: string
  readonly update?: string
}

function typesOf(object: ObjectModel, name: string, use: FieldUse): FieldTypes {
  const required = use.field.isNullable ? '' : '!'
  const order = 'OrderByDirection'
  switch (use.kind) {
    case 'scalar': {
      const type = scalarName(object, use.field, use.type)
      const filter = use.field.options ? `${enumNameOf(object, use.field)}Filter` : scalarKinds[use.type].filterName
      const written = name === 'id' ? 'ID' : type
      return { output: `${type}${required}`, filter, order, group: 'Boolean', create: written, update: written }
    }
    case 'composite': {
      const type = compositeKinds[use.type].graphqlName
      return { output: `${type}${required}`, ...inputsOf(type), create: `${type}CreateInput`, update: `${type}UpdateInput` }
    }
    case 'joinColumn':
      return { output: 'ID', filter: 'UUIDFilter', order, create: 'ID', update: 'ID' }
    case 'toOne': {
      const type = capitalized(use.target)
      return { output: type, ...inputsOf(type), create: `${type}RelationInput`, update: `${type}RelationInput` }
    }
    case 'toMany': {
      const type = capitalized(use.target)
      return { args: `(${connectionArgs(type)})`, output: `${type}Connection` }
    }
  }
}

const inputsOf = (type: string) => ({ filter: `${type}FilterInput`, order: `${type}OrderByInput` })
