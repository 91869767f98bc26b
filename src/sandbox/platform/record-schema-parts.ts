import { actorSources, compositeKinds } from './composite-kinds.ts'
import type { CompositeType, ScalarType } from './field-types.ts'
import { scalarKinds } from './scalar-kinds.ts'

/** A workspace's schema as a caller without a token sees it. */
export const emptyRecordSdl = /* GraphQL */ `
  scalar UUID
  type Query {
    search(searchInput: String!, limit: Int!, after: String, includedObjectNameSingulars: [String!]): SearchResultConnection!
  }
  type Mutation {
    activateWorkflowVersion(workflowVersionId: String!): Boolean!
  }
  type SearchResultConnection {
    edges: [SearchResultEdge!]!
    pageInfo: SearchResultPageInfo!
  }
  type SearchResultPageInfo {
    hasNextPage: Boolean!
  }
  type SearchResultEdge {
    cursor: String!
    node: SearchRecord!
  }
  type SearchRecord {
    recordId: String!
    objectNameSingular: String!
    label: String!
  }
`

export function compositeSdl(type: CompositeType): string {
  const { graphqlName: name, parts } = compositeKinds[type]
  const entries = Object.entries(parts)
  const nameOf = (part: ScalarType): string => (part === 'SELECT' ? 'ActorSourceEnum' : scalarKinds[part].graphqlName)
  const fields = entries.map(([part, { type: scalar }]) => `${part}: ${nameOf(scalar)}`).join('\n')
  const filterOf = (part: ScalarType): string => (part === 'SELECT' ? 'ActorSourceEnumFilter' : scalarKinds[part].filterName)
  const filters = entries.map(([part, { type: scalar }]) => `${part}: ${filterOf(scalar)}`)
  const orders = entries.map(([part]) => `${part}: OrderByDirection`).join('\n')
  return `
    type ${name} {\n${fields}\n}
    input ${name}CreateInput {\n${fields}\n}
    input ${name}UpdateInput {\n${fields}\n}
    input ${name}FilterInput {\n${filters.join('\n')}\n}
    input ${name}OrderByInput {\n${orders}\n}`
}

const compared = (type: string): string => `eq: ${type} neq: ${type} gt: ${type} gte: ${type} lt: ${type} lte: ${type} is: FilterIs`

/** What all objects share: scalars, filters, composite types. */
export const sharedSdl = `
  scalar BigFloat
  scalar ConnectionCursor
  scalar Cursor
  scalar Date
  scalar DateTime
  scalar JSON
  scalar Position
  scalar TSVector
  scalar UUID
  type PageInfo { endCursor: ConnectionCursor hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: ConnectionCursor }
  enum FilterIs { NOT_NULL NULL }
  enum OrderByDirection { AscNullsFirst AscNullsLast DescNullsFirst DescNullsLast }
  enum ActorSourceEnum { ${actorSources.join(' ')} }
  input ActorSourceEnumFilter { eq: ActorSourceEnum neq: ActorSourceEnum in: [ActorSourceEnum] is: FilterIs }
  input StringFilter { ${compared('String')} in: [String!] like: String ilike: String startsWith: String endsWith: String regex: String iregex: String }
  input UUIDFilter { ${compared('UUID')} in: [UUID] }
  input FloatFilter { ${compared('Float')} in: [Float!] }
  input BigFloatFilter { ${compared('BigFloat')} in: [BigFloat!] }
  input DateTimeFilter { ${compared('DateTime')} in: [DateTime!] }
  input DateFilter { ${compared('Date')} in: [Date!] }
  input BooleanFilter { eq: Boolean is: FilterIs }
  input RawJsonFilter { is: FilterIs like: String }
  input ArrayFilter { containsIlike: String is: FilterIs isEmptyArray: Boolean }
  input TSVectorFilter { search: String }
`
