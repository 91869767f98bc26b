import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import { AppError } from '../../kernel/errors.ts'
import { isDefer } from './defer.ts'

/** The limits of one document. They are counted by parsing alone, with fragments expanded, before any other work. */
export type DocumentLimits = {
  readonly tokens: number
  readonly depth: number
  readonly aliases: number
  readonly directives: number
  readonly rootFields: number
  /** Nested lists: connections (`edges`) in each other, and lists in the values of arguments. */
  readonly listNesting: number
}

/** Limits that are not settings. */
export const fixedLimits = {
  /** Fields and fragments, those in a fragment each time it is spread. A fragment counts too: one without any field could spread others without end. */
  fields: 15_000,
  /** The same for all operations of the document together. */
  allFields: 60_000,
  fragments: 250,
  operations: 100,
  /** Uses of one response name in one selection set. */
  repeats: 50,
  /** Pairs of fields with one response name in one place: validation compares each pair, here and on the platform. */
  pairs: 10_000,
  /** Each holds a login attempt of its account while it waits for the next one. */
  credentials: 5,
  /** Uses of `@defer` in one operation: each is written apart. Inside a list nothing is deferred. */
  deferred: 10,
  /** On one field, fragment, variable or operation. There are three that a client needs: `@include`, `@skip` and `@defer`. */
  directivesInPlace: 5,
  /** Of one field. */
  arguments: 100,
  variables: 500,
  lines: 5_000,
  nameChars: 200,
}
type LimitName = keyof DocumentLimits | keyof typeof fixedLimits

/** The limits of one request: its document, its JSON, and an upload with its files. */
export type RequestLimits = { readonly document: DocumentLimits; readonly bodyBytes: number; readonly uploadBytes: number }

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>
/** The size of a selection set with its fragments expanded. */
type Measure = { depth: number; aliases: number; directives: number; deferred: number; fields: number; lists: number }
type Walk = {
  readonly limits: DocumentLimits
  readonly fragments: Fragments
  /** Null while the fragment is being measured: a second visit is a cycle. */
  readonly measured: Map<string, Measure | null>
  /** The names of all fragments that are spread. */
  readonly spread: Set<string>
  readonly merged: { fields: number; pairs: number }
}

/** Throws INVALID_INPUT if the document exceeds a limit. Each fragment is measured once, however often it is spread. */
export function checkLimits(document: DocumentNode, limits: DocumentLimits): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  checkLimit('fragments', fragments.size, fixedLimits.fragments)
  checkLimit('operations', document.definitions.length - fragments.size, fixedLimits.operations)
  const walk: Walk = { limits, fragments, measured: new Map(), spread: new Set(), merged: { fields: 0, pairs: 0 } }
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      const measure = measureSet(definition.selectionSet, walk)
      addDirectives(measure, definition.directives, walk)
      checkLimit('variables', definition.variableDefinitions?.length ?? 0, fixedLimits.variables)
      for (const variable of definition.variableDefinitions ?? []) {
        addDirectives(measure, variable.directives, walk)
        if (variable.defaultValue) checkLimit('listNesting', nestedLists(variable.defaultValue), limits.listNesting)
      }
      checkMeasure(measure, limits)
      countPairs([definition.selectionSet], walk)
    } else if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      measureFragment(definition, walk)
    }
  }
  // Validation compares an unused fragment by itself.
  for (const [name, { selectionSet }] of fragments) if (!walk.spread.has(name)) countPairs([selectionSet], walk)
}

function measureSet(set: SelectionSetNode, walk: Walk): Measure {
  const total: Measure = { depth: 0, aliases: 0, directives: 0, deferred: 0, fields: 0, lists: 0 }
  const names = new Map<string, number>()
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      const name = (selection.alias ?? selection.name).value
      const repeats = (names.get(name) ?? 0) + 1
      names.set(name, repeats)
      checkLimit('repeats', repeats, fixedLimits.repeats)
    }
    const part = measureSelection(selection, walk)
    total.depth = Math.max(total.depth, part.depth)
    total.lists = Math.max(total.lists, part.lists)
    total.aliases += part.aliases
    total.directives += part.directives
    total.deferred += part.deferred
    total.fields += part.fields + (selection.kind === Kind.FIELD ? 0 : 1)
    addDirectives(total, selection.directives, walk)
    checkMeasure(total, walk.limits)
  }
  return total
}

function measureSelection(selection: SelectionNode, walk: Walk): Measure {
  if (selection.kind === Kind.FIELD) return measureField(selection, walk)
  if (selection.kind === Kind.INLINE_FRAGMENT) return measureSet(selection.selectionSet, walk)
  walk.spread.add(selection.name.value)
  const fragment = walk.fragments.get(selection.name.value)
  return fragment ? measureFragment(fragment, walk) : { depth: 0, aliases: 0, directives: 0, deferred: 0, fields: 0, lists: 0 }
}

function measureField(field: FieldNode, walk: Walk): Measure {
  const inner = field.selectionSet ? measureSet(field.selectionSet, walk) : null
  checkLimit('arguments', field.arguments?.length ?? 0, fixedLimits.arguments)
  for (const argument of field.arguments ?? []) checkLimit('listNesting', nestedLists(argument.value), walk.limits.listNesting)
  return {
    depth: (inner?.depth ?? 0) + 1,
    aliases: (inner?.aliases ?? 0) + (field.alias ? 1 : 0),
    directives: inner?.directives ?? 0,
    deferred: inner?.deferred ?? 0,
    fields: (inner?.fields ?? 0) + 1,
    lists: (inner?.lists ?? 0) + (field.name.value === 'edges' ? 1 : 0),
  }
}

function measureFragment(fragment: FragmentDefinitionNode, walk: Walk): Measure {
  const name = fragment.name.value
  const known = walk.measured.get(name)
  if (known === null) throw new AppError('INVALID_INPUT', { detail: `The fragment ${name} spreads itself` })
  if (known) return known
  walk.measured.set(name, null)
  const measure = measureSet(fragment.selectionSet, walk)
  addDirectives(measure, fragment.directives, walk)
  walk.measured.set(name, measure)
  return measure
}

function addDirectives(measure: Measure, directives: readonly DirectiveNode[] | undefined, walk: Walk): void {
  if (!directives) return
  checkLimit('directivesInPlace', directives.length, fixedLimits.directivesInPlace)
  measure.directives += directives.length
  for (const directive of directives) {
    if (isDefer(directive)) measure.deferred += 1
    for (const argument of directive.arguments ?? []) checkLimit('listNesting', nestedLists(argument.value), walk.limits.listNesting)
  }
}

/** Counts the pairs of fields with one response name when these selection sets of one place are merged, and the pairs below them. */
function countPairs(sets: readonly SelectionSetNode[], walk: Walk): void {
  const fields = new Map<string, FieldNode[]>()
  const seen = new Set<string>()
  const collect = (selection: SelectionNode): void => {
    if (selection.kind === Kind.FIELD) {
      const name = (selection.alias ?? selection.name).value
      const same = fields.get(name)
      if (same) same.push(selection)
      else fields.set(name, [selection])
      walk.merged.fields += 1
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      selection.selectionSet.selections.forEach(collect)
    } else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value)
      walk.fragments.get(selection.name.value)?.selectionSet.selections.forEach(collect)
    }
  }
  for (const set of sets) set.selections.forEach(collect)
  checkLimit('allFields', walk.merged.fields, fixedLimits.allFields)
  for (const same of fields.values()) {
    walk.merged.pairs += (same.length * (same.length - 1)) / 2
    checkLimit('pairs', walk.merged.pairs, fixedLimits.pairs)
    const inner = same.flatMap(({ selectionSet }) => selectionSet ?? [])
    if (inner.length > 0) countPairs(inner, walk)
  }
}

/** How deep lists nest. Objects in between do not count, but a value of more than 30 levels exceeds every limit. */
function nestedLists(value: ValueNode, depth = 0): number {
  if (depth > 30) return Number.POSITIVE_INFINITY
  let deepest = 0
  if (value.kind === Kind.LIST) for (const item of value.values) deepest = Math.max(deepest, 1 + nestedLists(item, depth + 1))
  if (value.kind === Kind.OBJECT) for (const field of value.fields) deepest = Math.max(deepest, nestedLists(field.value, depth + 1))
  return value.kind === Kind.LIST ? Math.max(deepest, 1) : deepest
}

function checkMeasure(measure: Measure, limits: DocumentLimits): void {
  checkLimit('depth', measure.depth, limits.depth)
  checkLimit('aliases', measure.aliases, limits.aliases)
  checkLimit('directives', measure.directives, limits.directives)
  checkLimit('deferred', measure.deferred, fixedLimits.deferred)
  checkLimit('fields', measure.fields, fixedLimits.fields)
  checkLimit('listNesting', measure.lists, limits.listNesting)
}

const limitNames: Readonly<Record<LimitName, string>> = {
  tokens: 'tokens',
  depth: 'levels',
  aliases: 'aliases',
  directives: 'directives',
  rootFields: 'root fields',
  fields: 'fields and fragments',
  allFields: 'fields in all its operations',
  fragments: 'fragments',
  operations: 'operations',
  repeats: 'uses of one name in one selection',
  pairs: 'pairs of fields with one name in one place',
  credentials: 'fields for credentials or accounts',
  listNesting: 'levels of nested lists',
  deferred: 'deferred fragments',
  directivesInPlace: 'directives in one place',
  arguments: 'arguments of one field',
  variables: 'variables in one operation',
  lines: 'lines; send long texts as variables',
  nameChars: 'characters in a name',
}

/** Throws INVALID_INPUT if there are more than the limit. */
export function checkLimit(limit: LimitName, count: number, most: number): void {
  if (count > most) throw new AppError('INVALID_INPUT', { detail: `The document has more than ${most} ${limitNames[limit]}` })
}
