import { parseSync, Visitor } from 'oxc-parser'
import type * as Ast from 'oxc-parser'
import type { Edit } from './edits.ts'
import { hashOf, type Source } from './sources.ts'

export const operators = [
  'condition negated',
  'comparison moved by one',
  'await dropped',
  'catch dropped',
  'fields swapped',
  'key part dropped',
  'guard removed',
] as const
export type Operator = (typeof operators)[number]

/** A small change of behaviour. `id` stays the same if other parts of the file change; `at`: offset; `shown`: the new text, in one line. */
export type Mutation = {
  readonly id: string
  readonly source: Source
  readonly operator: Operator
  readonly at: number
  readonly line: number
  readonly edits: readonly Edit[]
  readonly shown: string
}

type Span = { readonly start: number; readonly end: number }

/** Every mutation of a source, in the order of the text. What goes into the log is left alone. */
export function mutationsOf(source: Source): readonly Mutation[] {
  const found: { readonly operator: Operator; readonly span: Span; readonly edits: readonly Edit[] }[] = []
  const logged: Span[] = []
  const text = ({ start, end }: Span): string => source.text.slice(start, end)
  const replace = ({ start, end }: Span, by: string): Edit => ({ at: start, end, text: by })
  const note = (operator: Operator, span: Span, ...edits: readonly Edit[]): void => void found.push({ operator, span, edits })
  const negate = (test: Ast.Expression): void => note('condition negated', test, replace(test, `!(${text(test)})`))
  const dropAwait = (node: Ast.Expression | null): void => {
    if (node?.type === 'AwaitExpression') note('await dropped', node, replace(node, text(node.argument)))
  }
  const visitor = new Visitor({
    IfStatement(node) {
      negate(node.test)
      if (node.alternate === null && leaves(node.consequent)) note('guard removed', node, replace(node, ''))
    },
    ConditionalExpression: ({ test }) => negate(test),
    WhileStatement: ({ test }) => negate(test),
    BinaryExpression(node) {
      const moved = movedByOne(node.operator)
      // No test can be at the very microsecond.
      if (moved === undefined || /performance\.now\(\)/.test(text(node))) return
      const between = { start: node.left.end, end: node.right.start }
      note('comparison moved by one', node, replace(between, text(between).replace(node.operator, moved)))
    },
    ExpressionStatement: ({ expression }) => dropAwait(expression),
    ReturnStatement: ({ argument }) => dropAwait(argument),
    CatchClause: (node) => note('catch dropped', node, replace(node, 'catch (thrown) { throw thrown }')),
    CallExpression(node) {
      if (/\blog$/.test(calledObject(node, text))) logged.push(node)
      if (node.callee.type === 'MemberExpression' && text(node.callee).endsWith('.catch'))
        note('catch dropped', node, replace({ start: node.callee.object.end, end: node.end }, ''))
    },
    ObjectExpression({ properties }) {
      for (const [index, first] of properties.entries()) {
        const second = properties[index + 1]
        if (second && isNamed(first) && isNamed(second) && text(first.value) !== text(second.value))
          note('fields swapped', { start: first.start, end: second.end }, ...swapped(first, second, text))
      }
    },
    TemplateLiteral(node) {
      const quasis = node.quasis.map(({ value }) => value.raw)
      if (!isKey(quasis)) return
      for (const expression of node.expressions)
        note('key part dropped', node, {
          at: text({ start: 0, end: expression.start }).lastIndexOf('${'),
          end: source.text.indexOf('}', expression.end) + 1,
          text: '',
        })
    },
  })
  visitor.visit(parseSync(source.path, source.text).program)
  const kept = found.filter(({ span }) => !logged.some((call) => call.start <= span.start && span.end <= call.end))
  return withIds(
    source,
    kept.map(({ operator, span, edits }) => ({
      source,
      operator,
      at: span.start,
      edits,
      shown: shown(source.text, span, edits),
      line: lineOf(source.text, span.start),
      before: text(span),
    })),
  )
}

function withIds(source: Source, mutations: readonly (Omit<Mutation, 'id'> & { readonly before: string })[]): readonly Mutation[] {
  const times = new Map<string, number>()
  return mutations
    .toSorted((left, right) => left.at - right.at)
    .map(({ before, ...mutation }) => {
      const what = `${source.path} ${mutation.operator} ${hashOf(before + mutation.shown)}`
      const time = times.get(what) ?? 0
      times.set(what, time + 1)
      return { ...mutation, id: `${what} ${time}` }
    })
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** The first line of the mutated text, and what it was. */
function shown(text: string, { start, end }: Span, edits: readonly Edit[]): string {
  let after = text.slice(start, end)
  for (const { at, end: until, text: by } of edits.toSorted((left, right) => right.at - left.at))
    if (at >= start) after = after.slice(0, at - start) + by + after.slice(until - start)
  const short = (code: string): string => code.replaceAll(/\s+/g, ' ').trim().slice(0, 120)
  return `${short(text.slice(start, end))} => ${short(after)}`
}

function movedByOne(operator: string): string | undefined {
  return { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }[operator]
}

/** An `if` that ends what it is in: `if (...) return`, `throw`, `continue`. */
function leaves(statement: Ast.Statement): boolean {
  const last = statement.type === 'BlockStatement' ? statement.body.at(-1) : statement
  return last !== undefined && ['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'].includes(last.type)
}

type Named = Ast.ObjectProperty & { readonly value: Ast.Expression }

/** `name: value`, the value a name or a field of something. */
function isNamed(property: Ast.ObjectPropertyKind): property is Named {
  return (
    property.type === 'Property' &&
    !property.computed &&
    !property.method &&
    ['Identifier', 'MemberExpression'].includes(property.value.type)
  )
}

function swapped(first: Named, second: Named, text: (span: Span) => string): readonly Edit[] {
  return [
    { at: first.start, end: first.end, text: `${text(first.key)}: ${text(second.value)}` },
    { at: second.start, end: second.end, text: `${text(second.key)}: ${text(first.value)}` },
  ]
}

function calledObject({ callee }: Ast.CallExpression, text: (span: Span) => string): string {
  return callee.type === 'MemberExpression' ? text(callee.object) : ''
}

/** `call:${workspaceId}:${ucid}`: words and colons, no spaces, no address. */
function isKey(quasis: readonly string[]): boolean {
  const words = quasis.join('')
  return quasis.length > 1 && words.includes(':') && /^[\w:-]*$/.test(words)
}
