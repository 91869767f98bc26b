import { parseSync, Visitor } from 'oxc-parser'
import { type Edit, withEdits } from './edits.ts'

/** A part of a source that runs as a whole: a block, the body of an arrow function, a branch. Offsets in the source. */
export type Block = { readonly start: number; readonly end: number }

type Statement = { readonly type: string; readonly start: number; readonly end: number }
type Probe = Block & { readonly before: string; readonly after: string }

/** The blocks of a source, outer ones before inner ones. */
export function blocksOf(path: string, source: string): readonly Block[] {
  return probesOf(path, source).map(({ start, end }) => ({ start, end }))
}

/** The source with a call at the head of each block that notes its number: `first`, `first + 1` ... in the order of `blocksOf`. */
export function withProbes(path: string, source: string, options: { readonly first: number; readonly module: string }): string {
  const probes = probesOf(path, source)
  const calls = probes.map(({ start, end, before, after }, index): readonly Edit[] => {
    const call = `__reached(${options.first + index})`
    return [
      { at: start, end: start, text: before.replace('()', call) },
      { at: end, end, text: after },
    ]
  })
  const opening = calls.map(([head]) => head)
  const closing = calls.map(([, tail]) => tail).toReversed()
  const edits = [...closing, ...opening].filter((edit) => edit !== undefined && edit.text !== '')
  return `import { reached as __reached } from '${options.module}'; ${withEdits(
    source,
    edits.filter((edit) => edit !== undefined),
  )}`
}

function probesOf(path: string, source: string): readonly Probe[] {
  const probes: Probe[] = []
  const inBlock = ({ start, end }: Block): void => void probes.push({ start: start + 1, end: end - 1, before: '();', after: '' })
  const asBranch = (node: Statement | null): void => {
    if (node !== null && node.type !== 'BlockStatement' && node.type !== 'IfStatement')
      probes.push({ start: node.start, end: node.end, before: '{();', after: '}' })
  }
  const asValue = ({ start, end }: Block): void => void probes.push({ start, end, before: '((),', after: ')' })
  const visitor = new Visitor({
    BlockStatement: inBlock,
    FunctionDeclaration: ({ body }) => void (body && inBlock(body)),
    FunctionExpression: ({ body }) => void (body && inBlock(body)),
    ArrowFunctionExpression: ({ body }) => (body.type === 'BlockStatement' ? undefined : asValue(body)),
    IfStatement({ consequent, alternate }) {
      asBranch(consequent)
      asBranch(alternate)
    },
    ForStatement: ({ body }) => asBranch(body),
    ForOfStatement: ({ body }) => asBranch(body),
    ForInStatement: ({ body }) => asBranch(body),
    WhileStatement: ({ body }) => asBranch(body),
    ConditionalExpression({ consequent, alternate }) {
      asValue(consequent)
      asValue(alternate)
    },
  })
  visitor.visit(parseSync(path, source).program)
  return unique(probes).toSorted((left, right) => left.start - right.start || right.end - left.end)
}

/** The visitor names the body of a function twice: as a block, and as the function's. */
function unique(probes: readonly Probe[]): readonly Probe[] {
  return [...new Map(probes.map((probe) => [`${probe.start}-${probe.end}`, probe])).values()]
}
