import { buildSchema, type GraphQLSchema } from 'graphql'
import { type FieldModel, type FieldUse, type ObjectModel, typeNameOf } from './data-model.ts'
import { compositeKinds } from './composite-kinds.ts'
import { compositeTypes, type ScalarType } from './field-types.ts'
import { capitalized } from './json.ts'
import { compositeSdl, sharedSdl } from './record-schema-parts.ts'
import { scalarKinds } from './scalar-kinds.ts'
import type { WorkspaceModel } from './workspace-model.ts'

/** The GraphQL schema of a workspace's records, for introspection and validation; records are read without it. */
export function buildRecordSchema(model: WorkspaceModel): GraphQLSchema {
  return buildSchema(recordSdl(model), { assumeValid: true })
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
  const lines = (line: (name: string, use: FieldUse) => string | null): string =>
    entries.flatMap(([field, use]) => line(field, use) ?? []).join('\n')
  const enums = entries.flatMap(([, use]) => (use.kind === 'scalar' ? enumSdl(object, use.field) : []))
  return `
    type ${name} {\n${lines((field, use) => outputField(object, field, use))}\n}
    type ${name}Connection { edges: [${name}Edge!]! pageInfo: PageInfo! totalCount: Int }
    type ${name}GroupByConnection { edges: [${name}Edge!]! pageInfo: PageInfo! totalCount: Int groupByDimensionValues: JSON! }
    type ${name}Edge { cursor: Cursor! node: ${name}! }
    input ${name}FilterInput {\nand: [${name}FilterInput]\nor: [${name}FilterInput]\nnot: ${name}FilterInput\n${lines((field, use) => filterField(object, field, use))}\n}
    input ${name}OrderByInput {\n${lines(orderField)}\n}
    input ${name}GroupByInput {\n${lines(groupField)}\n}
    input ${name}CreateInput {\n${lines(inputField(object, 'CreateInput'))}\n}
    input ${name}UpdateInput {\n${lines(inputField(object, 'UpdateInput'))}\n}
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

function outputField(object: ObjectModel, name: string, use: FieldUse): string {
  const required = use.field.isNullable ? '' : '!'
  switch (use.kind) {
    case 'scalar':
      return `${name}: ${scalarName(object, use.field, use.type)}${required}`
    case 'composite':
      return `${name}: ${compositeKinds[use.type].graphqlName}${required}`
    case 'joinColumn':
      return `${name}: ID`
    case 'toOne':
      return `${name}: ${capitalized(use.target)}`
    case 'toMany':
      return `${name}(${connectionArgs(capitalized(use.target))}): ${capitalized(use.target)}Connection`
  }
}

function filterField(object: ObjectModel, name: string, use: FieldUse): string | null {
  switch (use.kind) {
    case 'scalar':
      return `${name}: ${use.field.options ? `${enumNameOf(object, use.field)}Filter` : scalarKinds[use.type].filterName}`
    case 'composite':
      return `${name}: ${compositeKinds[use.type].graphqlName}FilterInput`
    case 'joinColumn':
      return `${name}: UUIDFilter`
    case 'toOne':
      return `${name}: ${capitalized(use.target)}FilterInput`
    case 'toMany':
      return null
  }
}

function orderField(name: string, use: FieldUse): string | null {
  if (use.kind === 'composite') return `${name}: ${compositeKinds[use.type].graphqlName}OrderByInput`
  if (use.kind === 'toOne') return `${name}: ${capitalized(use.target)}OrderByInput`
  return use.kind === 'toMany' ? null : `${name}: OrderByDirection`
}

function groupField(name: string, use: FieldUse): string | null {
  return use.kind === 'scalar' ? `${name}: Boolean` : null
}

function inputField(object: ObjectModel, suffix: 'CreateInput' | 'UpdateInput') {
  return (name: string, use: FieldUse): string | null => {
    switch (use.kind) {
      case 'scalar':
        return `${name}: ${name === 'id' ? 'ID' : scalarName(object, use.field, use.type)}`
      case 'composite':
        return `${name}: ${compositeKinds[use.type].graphqlName}${suffix}`
      case 'joinColumn':
        return `${name}: ID`
      case 'toOne':
        return `${name}: ${capitalized(use.target)}RelationInput`
      case 'toMany':
        return null
    }
  }
}
