import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, OperationTypeNode } from 'graphql'
import { AppError } from '../../kernel/errors.ts'
import { type Blanked, blankDropped } from './blank.ts'
import type { Cost } from './cost/cost.ts'
import { operationCost } from './cost/operation-cost.ts'
import { type CredentialField, credentialField } from './credentials.ts'
import { hasDefer, isDefer } from './defer.ts'
import { parseDocument } from './document.ts'
import { type DocumentLimits, fixedLimits, checkLimit } from './limits.ts'
import { selectsLink } from './link-selections.ts'
import type { MetadataNames, RootNames } from './metadata-fields.ts'
import { modelMutations } from './model-change.ts'
import { hasOthers, type Written, writtenOf } from './normal-form.ts'
import { parsedBytes, textBytes } from './parsed-size.ts'
import { unprefixedFieldName, usesPrefixedNames } from './prefixed-names.ts'
import { type Endpoint, type Fragments, fragmentsOf, type RootSelection, rootSelections, selectsBelow } from './root-selections.ts'
import { maxCopiedChars, type Split, splitOperation } from './split.ts'

/** Where one operation of a document runs. Found by parsing alone. */
export type Plan =
  /** Forwarded unchanged to the endpoint of the platform that has its root fields. */
  | (PlatformUse & {
      readonly kind: 'platform'
      readonly endpoint: Endpoint
      readonly introspects: boolean
      /** What is forwarded instead of the client's text: the platform knows neither `@defer` nor what other operations of the document name. */
      readonly instead?: Blanked
    })
  | (Executed & {
      readonly kind: 'local'
      readonly operation: OperationTypeNode
      readonly document: DocumentNode
      readonly defers: boolean
      /** Its root field, if it has only one. */
      readonly rootField: string | null
    })
  | (PlatformUse &
      Executed & {
        readonly kind: 'mixed'
        readonly split: Split
        /** Of our fields. The pipeline computes that of a local operation. */
        readonly cost: Cost
      })
  | (PlatformUse &
      Executed & {
        /** Needs the workspace's stitched schema. */
        readonly kind: 'stitched'
        /** Our schema can answer it if there is no stitched one. */
        readonly local: boolean
        /** It has a root field of the platform. */
        readonly asksPlatform: boolean
        readonly introspects: boolean
        /** Of our fields. */
        readonly cost: Cost
      })
  | { readonly kind: 'refused'; readonly error: AppError }
  /** A syntax error, or no such operation: Yoga reports the error. */
  | { readonly kind: 'unplanned' }

type Executed = {
  /** Its normal form is planned anew once the variables are known. Null if it has that. */
  readonly written: Written | null
}
type PlatformUse = {
  readonly operation: OperationTypeNode
  /** The fields that sign a user in or up. They pass the credential gate first. */
  readonly credentials: readonly CredentialField[]
  /** It has a root field of the metadata endpoint, which the workspace's records may have too: then another plan is right. */
  readonly namesMetadata: boolean
  /** It changes the workspace's data model. */
  readonly changesModel: boolean
}

/** What metrics and the log call the operation: its root field if that is ours, else where it runs. Never a name that the client chose. */
export function operationName(plan: Plan): string {
  if (plan.kind === 'local') return plan.rootField ?? 'local'
  return plan.kind === 'refused' || plan.kind === 'unplanned' ? 'invalid' : plan.kind
}

export type PlanRules = {
  readonly limits: DocumentLimits
  /** The names of our root fields. */
  readonly own: RootNames
  readonly metadata: MetadataNames
  /** The names of the fields that we add to types of the platform. */
  readonly added: ReadonlySet<string>
  /** Our schema, whose types link to records of the platform; null if the platform alone answers. */
  readonly schema: GraphQLSchema | null
  /** The platform's mutations that take or give credentials. */
  readonly credentials: ReadonlySet<string>
  /** `platform`: the platform alone answers `__schema` and `__type`. Default: the stitched schema. */
  readonly introspection?: 'platform'
}

export type DocumentPlans = {
  /** The empty name means the document's only operation. */
  of(operationName: string): Plan
  /** About what they hold. Each operation that is asked for may add to it. */
  readonly bytes: number
}

/**
 * Plans an operation when it is first asked for, because a document may have a hundred. Plans that hold the parsed document hold the same one; if none
 * does, the cache need not hold it.
 */
export function planDocument(source: string, rules: PlanRules): DocumentPlans {
  let parsed: WeakRef<DocumentNode>
  let held = 0
  const readDocument = (): DocumentNode => {
    const document = parseDocument(source, rules.limits)
    parsed = new WeakRef(document)
    held = parsedBytes(source, document)
    return document
  }
  let names: readonly string[]
  try {
    names = operationsOf(readDocument()).map(nameOf)
  } catch (error) {
    const plan = refusalOf(error)
    return { of: () => plan, bytes: textBytes(source) }
  }
  const plans = new Map<string, Plan>()
  let copiedChars = 0
  const of = (operationName: string): Plan => {
    const known = plans.get(operationName)
    if (known) return known
    if (operationName === '' ? names.length !== 1 : !names.includes(operationName)) return unplanned
    const document = parsed.deref() ?? readDocument()
    const [operation, second] = operationsOf(document).filter((one) => operationName === '' || nameOf(one) === operationName)
    const planning = { source, document, fragments: fragmentsOf(document), rules }
    const plan = second ? ambiguous : operation ? planOperation(planning, operation) : unplanned
    copiedChars += source.length * (plan.kind === 'mixed' ? plan.split.parts.length : 1)
    // Together they hold no more than one may.
    if (copiedChars > maxCopiedChars) {
      plans.clear()
      copiedChars = 0
    }
    plans.set(operationName, plan)
    return plan
  }
  return {
    of,
    get bytes() {
      return held + copiedChars
    },
  }
}

function operationsOf({ definitions }: DocumentNode): readonly OperationDefinitionNode[] {
  return definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
}

function nameOf({ name }: OperationDefinitionNode): string {
  return name?.value ?? ''
}

const unplanned: Plan = { kind: 'unplanned' }
const ambiguous = refusalOf(new AppError('INVALID_INPUT', { detail: 'The document has several operations of this name' }))

function refusalOf(error: unknown): Plan {
  if (error instanceof AppError) return { kind: 'refused', error }
  return unplanned
}

type Planning = {
  readonly source: string
  readonly document: DocumentNode
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
  const { fragments, rules, document } = planning
  const type = operation.operation
  const named = rules.metadata.named[type]
  const selections = rootSelections(operation, { fragments, owners: { own: rules.own[type], metadata: rules.metadata.owned[type] } })
  const fields = selections.flatMap((selection) => selection.fields)
  checkLimit('rootFields', fields.length, rules.limits.rootFields)
  const credentials = credentialFields(operation, selections, rules)
  checkLimit('credentials', credentials.length, fixedLimits.credentials)
  const sides = new Set(fields.map((field) => field.side))
  const introspects = sides.has('introspection')
  const namesMetadata = fields.some(({ node, side }) => side !== 'local' && named.has(node.name.value))
  const changesModel = fields.some(({ node, side }) => side !== 'local' && modelMutations.has(unprefixedFieldName(node.name.value)))
  const use = { operation: type, credentials, namesMetadata, changesModel }
  if (rules.introspection === 'platform') return { ...use, kind: 'platform', endpoint: 'metadata', introspects }
  const asksPlatform = sides.has('records') || sides.has('metadata')
  if (type === OperationTypeNode.SUBSCRIPTION && fields.every(({ side }) => side === 'meta'))
    throw new AppError('INVALID_INPUT', { detail: 'The subscription has no field, or @skip and @include leave none' })
  const written = writtenOf(planning.source, document, operation)
  const cost = (): Cost => (rules.schema ? operationCost(operation, { schema: rules.schema, fragments }) : 0)
  const stitched = (): Plan & { kind: 'stitched' } => ({
    ...use,
    written,
    kind: 'stitched',
    local: !asksPlatform,
    asksPlatform,
    introspects,
    cost: cost(),
  })
  if (introspects || usesPrefixedNames(operation, { document, fields, named })) return stitched()
  if (fields.some((field) => field.side === 'records' && selectsBelow(field.node, rules.added, fragments))) return stitched()
  // Our schema alone does not have the links.
  if (fields.some(({ node, side }) => side === 'local' && selectsLink(rules.schema, { field: node, operation: type, fragments }))) {
    return { ...stitched(), local: false }
  }
  if (!asksPlatform) {
    const [only, ...others] = fields
    const rootField = only && others.length === 0 && rules.own[type].has(only.node.name.value) ? only.node.name.value : null
    // The executor of our schema decides `@skip` and `@include` itself, but does not expect a subscription without a field.
    const needsForm = hasOthers(document, operation) || type === OperationTypeNode.SUBSCRIPTION
    const defers = hasDefer(planning.source, document)
    return { kind: 'local', operation: type, document, defers, rootField, written: needsForm ? written : null }
  }
  if (!sides.has('local') && !(sides.has('records') && sides.has('metadata'))) {
    const endpoint = sides.has('metadata') ? 'metadata' : 'records'
    return { ...use, kind: 'platform', endpoint, introspects, ...forwardedInstead(planning, operation) }
  }
  const split = splitOperation(operation, { ...planning, selections })
  return split ? { ...use, kind: 'mixed', written, split, cost: cost() } : stitched()
}

function forwardedInstead({ source, document }: Planning, operation: OperationDefinitionNode): { readonly instead?: Blanked } {
  if (!hasOthers(document, operation) && !hasDefer(source, document)) return {}
  return { instead: blankDropped(source, { operation, document, drops: (node) => node.kind === Kind.DIRECTIVE && isDefer(node) }) }
}

function credentialFields(
  operation: OperationDefinitionNode,
  selections: readonly RootSelection[],
  rules: PlanRules,
): readonly CredentialField[] {
  if (operation.operation === OperationTypeNode.SUBSCRIPTION) return []
  return selections
    .flatMap((selection) => selection.fields)
    .filter((field) => rules.credentials.has(unprefixedFieldName(field.node.name.value)))
    .map((field) => credentialField(field, operation))
}
