import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, OperationTypeNode, parse } from 'graphql'
import { AppError } from '../../kernel/errors.ts'
import { blankOthers } from './blank.ts'
import { type CredentialField, credentialField } from './credentials.ts'
import { checkLimits, type DocumentLimits, fixedLimits, checkLimit } from './limits.ts'
import { type Fragments, type RootSelection, rootSelections, selectsBelow, type Side } from './root-selections.ts'

/** Where one operation of a document runs. Found by parsing alone, without the platform's schema. */
export type Plan =
  /** Forwarded unchanged. `credentials`: its fields that sign a user in or up. They pass the credential gate first. */
  | {
      readonly kind: 'platform'
      readonly operation: OperationTypeNode
      readonly introspects: boolean
      readonly credentials: readonly CredentialField[]
    }
  | { readonly kind: 'local'; readonly operation: OperationTypeNode; readonly document: DocumentNode }
  | {
      readonly kind: 'mixed'
      readonly operation: OperationTypeNode
      readonly split: Split
      readonly credentials: readonly CredentialField[]
    }
  /** Needs the workspace's stitched schema. `local`: our schema can answer it if there is no stitched one. */
  | {
      readonly kind: 'stitched'
      readonly operation: OperationTypeNode
      readonly local: boolean
      readonly credentials: readonly CredentialField[]
    }
  | { readonly kind: 'refused'; readonly error: AppError }
  /** A syntax error, or no such operation: Yoga reports the error. */
  | { readonly kind: 'unplanned' }

/** A mixed operation in parts. `parts` and `keys` (response keys) have the order of the document. A query has one part for each side. */
export type Split = {
  readonly operation: OperationTypeNode
  readonly parts: readonly SplitPart[]
  readonly keys: readonly string[]
}
export type SplitPart = {
  readonly side: 'local' | 'platform'
  readonly source: string
  readonly document: DocumentNode | null
  readonly variables: ReadonlySet<string>
  readonly keys: readonly string[]
}

export type PlanRules = {
  readonly limits: DocumentLimits
  /** The names of our root fields. */
  readonly own: Readonly<Record<OperationTypeNode, ReadonlySet<string>>>
  /** The names of the fields that we add to types of the platform. */
  readonly added: ReadonlySet<string>
  /** The platform's mutations that take or give credentials. */
  readonly credentials: ReadonlySet<string>
  /** `platform`: the platform alone answers `__schema` and `__type`. Default: the stitched schema. */
  readonly introspection?: 'platform'
}

/** Plans by operation name. The empty name means the document's only operation. */
export type DocumentPlans = (operationName: string) => Plan

export function planDocument(source: string, rules: PlanRules): DocumentPlans {
  let document: DocumentNode
  try {
    document = parse(source, { maxTokens: rules.limits.tokens })
    checkLimits(document, rules.limits)
  } catch (error) {
    const plan = refusalOf(error)
    return () => plan
  }
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  const planning: Planning = { source, document, operations, fragments: fragmentsOf(document), rules }
  // Made for all operations at once, so that the cache need not hold the document.
  const plans = new Map(operations.map((operation) => [operation.name?.value ?? '', planOperation(planning, operation)]))
  const only = operations.length === 1 ? [...plans.values()][0] : undefined
  return (operationName) => (operationName === '' ? only : plans.get(operationName)) ?? unplanned
}

const unplanned: Plan = { kind: 'unplanned' }

function refusalOf(error: unknown): Plan {
  if (error instanceof AppError) return { kind: 'refused', error }
  // The parser recurses as deep as the document nests.
  if (error instanceof RangeError)
    return { kind: 'refused', error: new AppError('INVALID_INPUT', { detail: 'The document nests too deeply' }) }
  if (error instanceof Error && error.message.includes('Parsing aborted')) {
    return { kind: 'refused', error: new AppError('INVALID_INPUT', { detail: 'The document has too many tokens' }) }
  }
  return unplanned
}

type Planning = {
  readonly source: string
  readonly document: DocumentNode
  readonly operations: readonly OperationDefinitionNode[]
  readonly fragments: Fragments
  readonly rules: PlanRules
}

function planOperation(planning: Planning, operation: OperationDefinitionNode): Plan {
  try {
    // Checked before fragments are expanded, because each selection may be a chain of fragments.
    checkLimit('rootFields', operation.selectionSet.selections.length, planning.rules.limits.rootFields)
    return planWithin(planning, operation)
  } catch (error) {
    return refusalOf(error)
  }
}

/** Throws INVALID_INPUT if the operation exceeds a limit. */
function planWithin(planning: Planning, operation: OperationDefinitionNode): Plan {
  const { fragments, rules } = planning
  const selections = rootSelections(operation, { fragments, own: rules.own[operation.operation] })
  const fields = selections.flatMap((selection) => selection.fields)
  checkLimit('rootFields', fields.length, rules.limits.rootFields)
  const sides = new Set(fields.map((field) => field.side))
  const type = operation.operation
  const credentials = credentialFields(operation, selections, rules)
  checkLimit('credentials', credentials.length, fixedLimits.credentials)
  const stitched: Plan = { kind: 'stitched', operation: type, local: !sides.has('platform'), credentials }
  const introspects = sides.has('introspection')
  if (rules.introspection === 'platform') return { kind: 'platform', operation: type, introspects, credentials }
  if (introspects) return stitched
  if (fields.some((field) => field.side === 'platform' && selectsBelow(field.node, rules.added, fragments))) return stitched
  if (!sides.has('platform')) return { kind: 'local', operation: type, document: onlyOperation(planning.document, operation) }
  if (!sides.has('local')) return { kind: 'platform', operation: type, introspects, credentials }
  const split = splitOperation(planning, operation, selections)
  return split ? { kind: 'mixed', operation: type, split, credentials } : stitched
}

function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  return fragments
}

/**
 * The document with this operation only, because other operations may belong to the platform. A document of one operation stays as it is,
 * unused fragments included, because validation reports them.
 */
export function onlyOperation(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  if (document.definitions.every((one) => one === operation || one.kind !== Kind.OPERATION_DEFINITION)) return document
  return { ...document, definitions: document.definitions.filter((one) => one === operation || one.kind !== Kind.OPERATION_DEFINITION) }
}

function credentialFields(
  operation: OperationDefinitionNode,
  selections: readonly RootSelection[],
  rules: PlanRules,
): readonly CredentialField[] {
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) return []
  return selections
    .flatMap((selection) => selection.fields)
    .filter((field) => rules.credentials.has(field.node.name.value))
    .map((field) => credentialField(field, operation))
}

/** Null if a split would change the answer: root fragments that mix both sides, one response key on both sides, subscriptions. */
function splitOperation(
  { source, document }: Planning,
  operation: OperationDefinitionNode,
  selections: readonly RootSelection[],
): Split | null {
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) return null
  const groups = operation.operation === OperationTypeNode.QUERY ? groupBySide(selections) : groupInOrder(selections)
  if (!groups || operation.directives?.length) return null
  const sideOfKey = new Map<string, string>()
  for (const { side, selections: members } of groups) {
    for (const { key } of members.flatMap((member) => member.fields)) {
      if ((sideOfKey.get(key) ?? side) !== side) return null
      sideOfKey.set(key, side)
    }
  }
  const parts = groups.map(({ side, selections: members }): SplitPart => {
    const keep = new Set(members.map((member) => member.node))
    const { source: text, variables } = blankOthers(source, { operation, document, keep })
    const keys = [...new Set(members.flatMap((member) => member.fields.map((field) => field.key)))]
    return { side, source: text, variables, keys, document: side === 'local' ? parse(text) : null }
  })
  return { operation: operation.operation, parts, keys: keysInOrder(selections) }
}

type Group = { readonly side: 'local' | 'platform'; readonly selections: RootSelection[] }

function groupBySide(selections: readonly RootSelection[]): readonly Group[] | null {
  const local: Group = { side: 'local', selections: [] }
  const platform: Group = { side: 'platform', selections: [] }
  for (const selection of selections) {
    const side = sideOfSelection(selection)
    if (side === null) return null
    const group = side === 'platform' ? platform : local
    group.selections.push(selection)
  }
  return [local, platform]
}

/** Mutations run one after the other: neighbours of one side form a part. */
function groupInOrder(selections: readonly RootSelection[]): readonly Group[] | null {
  const groups: Group[] = []
  for (const selection of selections) {
    const side = sideOfSelection(selection)
    if (side === null) return null
    const last = groups.at(-1)
    if (last?.side === side) last.selections.push(selection)
    else groups.push({ side, selections: [selection] })
  }
  return groups
}

/** Our side answers a lone `__typename`. */
function sideOfSelection(selection: RootSelection): 'local' | 'platform' | null {
  const sides = new Set<Side>(selection.fields.map((field) => field.side))
  if (!sides.has('platform')) return 'local'
  return sides.has('local') ? null : 'platform'
}

function keysInOrder(selections: readonly RootSelection[]): readonly string[] {
  return [...new Set(selections.flatMap((selection) => selection.fields.map((field) => field.key)))]
}
