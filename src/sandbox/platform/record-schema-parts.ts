import { actorSources, type CompositeType, composites, type ScalarType } from './field-types.ts'

/** A workspace's schema as a caller without a token sees it. */
export const emptyRecordSdl = /* GraphQL */ `
  type Query {
    search(searchInput: String!, limit: Int!, after: String): SearchResultConnection!
  }
  type Mutation {
    activateWorkflowVersion(workflowVersionId: String!): Boolean!
  }
  type SearchResultConnection {
    edges: [SearchResultEdge!]!
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

/** The GraphQL types of scalar fields. */
export const scalarNames: Readonly<Record<ScalarType, string>> = {
  TEXT: 'String',
  UUID: 'UUID',
  NUMBER: 'Float',
  NUMERIC: 'BigFloat',
  BOOLEAN: 'Boolean',
  DATE_TIME: 'DateTime',
  DATE: 'Date',
  SELECT: 'String',
  MULTI_SELECT: '[String]',
  ARRAY: '[String]',
  RAW_JSON: 'JSON',
  POSITION: 'Position',
  TS_VECTOR: 'TSVector',
}

/** The inputs that filter them. */
export const filterNames: Readonly<Record<ScalarType, string>> = {
  TEXT: 'StringFilter',
  UUID: 'UUIDFilter',
  NUMBER: 'FloatFilter',
  NUMERIC: 'BigFloatFilter',
  BOOLEAN: 'BooleanFilter',
  DATE_TIME: 'DateTimeFilter',
  DATE: 'DateFilter',
  SELECT: 'StringFilter',
  MULTI_SELECT: 'ArrayFilter',
  ARRAY: 'ArrayFilter',
  RAW_JSON: 'RawJsonFilter',
  POSITION: 'FloatFilter',
  TS_VECTOR: 'TSVectorFilter',
}

export function compositeSdl(type: CompositeType): string {
  const { graphqlName: name, parts } = composites[type]
  const entries = Object.entries(parts)
  const nameOf = (part: ScalarType): string => (part === 'SELECT' ? 'ActorSourceEnum' : scalarNames[part])
  const fields = entries.map(([part, { type: scalar }]) => `${part}: ${nameOf(scalar)}`).join('\n')
  const filters = entries.map(
    ([part, { type: scalar }]) => `${part}: ${scalar === 'SELECT' ? 'ActorSourceEnumFilter' : filterNames[scalar]}`,
  )
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
