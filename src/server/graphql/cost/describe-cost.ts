import type { FieldDefinitionNode } from 'graphql'
import { costRuleOf, usualRows } from './cost-rule.ts'

/** What a field costs, such as ``Costs 1, and 2 for each of `callIds`.``; empty if it costs what a field of its kind usually does. */
export function costSentence(field: FieldDefinitionNode, isRoot: boolean): string {
  const { base, each, rows, list, page, range } = costRuleOf(field, isRoot)
  const parts = [
    base === 0 ? '' : base.toLocaleString('en'),
    list ? `${each} for each of \`${list.name}\`` : '',
    page === null ? '' : `${each} for each row of \`first\``,
    range ? `${range.perDay} for each day from \`from\` to \`to\`` : '',
  ].filter((part) => part !== '')
  const isUsual = parts.length === 0 || (parts.length === 1 && base === 1)
  const costs = isUsual ? '' : `Costs ${parts.join(', and ')}.`
  return rows === usualRows ? costs : `${costs} Counts as ${rows.toLocaleString('en')} rows.`.trim()
}
