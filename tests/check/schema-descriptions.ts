import { globSync, readFileSync } from 'node:fs'
import {
  buildSchema,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type InputValueDefinitionNode,
  isObjectType,
  isUnionType,
  Kind,
  parse,
  type StringValueNode,
  type TypeNode,
  visit,
} from 'graphql'
import { limitOf } from '../../src/server/graphql/input-limits/input-limit.ts'

type Described = { readonly description?: StringValueNode | undefined; readonly name: { readonly value: string } }

/** Words that say nothing by themselves. */
const empty = new Set('a an and as at by for from has in is it its of on or that the their this to which who with be was are'.split(' '))

/**
 * Names each type, field, argument and enum value of the SDL that has no description, or one that only repeats its name and the name of its
 * type. `type Query` and its like are extended in other files: an extension itself needs no description.
 */
export function findDescriptionFaults(sdl: string): readonly string[] {
  const faults: string[] = []
  const owners: string[] = []
  const check = (node: Described): void => {
    const path = [...owners, node.name.value].join('.')
    const text = node.description?.value.trim() ?? ''
    if (text === '') faults.push(`${path} has no description`)
    else if (repeatsName(text, path)) faults.push(`${path}: its description only repeats its name`)
  }
  const within = {
    enter(node: Described & { readonly kind: Kind }): void {
      if (!isExtension(node.kind)) check(node)
      owners.push(node.name.value)
    },
    leave: () => void owners.pop(),
  }
  visit(parse(sdl), {
    ObjectTypeDefinition: within,
    ObjectTypeExtension: within,
    InterfaceTypeDefinition: within,
    InputObjectTypeDefinition: within,
    InputObjectTypeExtension: within,
    EnumTypeDefinition: within,
    EnumTypeExtension: within,
    UnionTypeDefinition: within,
    ScalarTypeDefinition: within,
    DirectiveDefinition: within,
    FieldDefinition: within,
    InputValueDefinition: within,
    EnumValueDefinition: within,
  })
  return faults
}

/** Names each argument and input field that takes a text, number or list of any size. Arguments of directives are ours. */
export function findMissingLimits(sdl: string): readonly string[] {
  const faults: string[] = []
  const owners: string[] = []
  const within = { enter: ({ name }: Described): void => void owners.push(name.value), leave: (): void => void owners.pop() }
  visit(parse(sdl), {
    DirectiveDefinition: () => false,
    ObjectTypeDefinition: within,
    ObjectTypeExtension: within,
    InputObjectTypeDefinition: within,
    InputObjectTypeExtension: within,
    FieldDefinition: within,
    InputValueDefinition(node) {
      const missing = missingLimit(node)
      if (missing) faults.push(`${[...owners, node.name.value].join('.')} needs @limit(${missing})`)
    },
  })
  return faults
}

function missingLimit(node: InputValueDefinitionNode): string | null {
  const limit = limitOf(node)
  const { name, isList } = namedType(node.type)
  if (isList && limit?.maxItems === undefined) return 'maxItems'
  if ((name === 'String' || name === 'ID') && limit?.maxLength === undefined) return 'maxLength'
  const isNumber = name === 'Int' || name === 'Float'
  return isNumber && (limit?.minimum === undefined || limit.maximum === undefined) ? 'minimum, maximum' : null
}

function namedType(type: TypeNode): { readonly name: string; readonly isList: boolean } {
  if (type.kind === Kind.NAMED_TYPE) return { name: type.name.value, isList: false }
  const inner = namedType(type.type)
  return { name: inner.name, isList: inner.isList || type.kind === Kind.LIST_TYPE }
}

function isExtension(kind: Kind): boolean {
  return kind === Kind.OBJECT_TYPE_EXTENSION || kind === Kind.INPUT_OBJECT_TYPE_EXTENSION || kind === Kind.ENUM_TYPE_EXTENSION
}

function repeatsName(text: string, path: string): boolean {
  const known = new Set(wordsOf(path))
  return wordsOf(text).every((word) => empty.has(word) || known.has(word))
}

/** Lower case, without the plural. */
function wordsOf(text: string): readonly string[] {
  const words = text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []
  return words.map((word) => word.toLowerCase().replace(/(?<=\w{2})s$/, ''))
}

/** Parts of a list that a client reads as a whole: their list replaces the list before. Those of a connection are Relay's. */
const valueTypes = new Set(
  `AgentCallsNow CampaignCallsNow AgentCallCounts CampaignCallCounts DispositionCallCounts HourCallCounts RecordingTopic RecordingFeelingSpan
  RecordingSpeaker RecordingStatement RecordingCompliance RecordingMissingPart AuditLogDetail TextRange
  ScorecardCriterion ScorecardModelVerdict ScorecardCorrection ScorecardReviewer ScorecardCriterionAgreement ScorecardAgreementCounts
  HistoryRow DispositionCount TimelineState TimelineCall`.split(/\s+/),
)

/** Names each type that a query or subscription reaches and a client's cache cannot identify: it has no `id: ID!`. */
export function findMissingIds(sdl: string): readonly string[] {
  const schema = buildSchema(sdl)
  const reached = new Set<GraphQLObjectType>()
  const reach = (type: GraphQLNamedType | null | undefined): void => {
    if (isUnionType(type)) type.getTypes().forEach(reach)
    if (!isObjectType(type) || reached.has(type)) return
    reached.add(type)
    for (const { type: inner } of Object.values(type.getFields())) reach(getNamedType(inner))
  }
  const roots = [schema.getQueryType(), schema.getSubscriptionType()]
  roots.forEach(reach)
  return [...reached]
    .filter((type) => !roots.includes(type) && !valueTypes.has(type.name) && !/(?:Connection|Edge|Page|PageInfo)$/.test(type.name))
    .filter((type) => String(type.getFields()['id']?.type) !== 'ID!')
    .map(({ name }) => `${name} needs id: ID!, so that clients can cache it`)
}

if (import.meta.main) {
  const files = globSync('schema/*.graphql')
  const sdl = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const faults = [...findDescriptionFaults(sdl), ...findMissingLimits(sdl), ...findMissingIds(sdl)]
  for (const fault of faults) console.error(fault)
  console.log(`${files.length} schema files, ${faults.length} faults`)
  process.exitCode = faults.length > 0 || files.length === 0 ? 1 : 0
}
