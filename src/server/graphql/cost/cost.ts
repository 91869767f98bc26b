import { AppError } from '../../../kernel/errors.ts'
import { mostCost } from './cost-rule.ts'

export type Variables = Readonly<Record<string, unknown>>

/** What an operation costs: a number if its variables do not matter. */
export type Cost = number | ((variables: Variables) => number)

export function sum(costs: readonly Cost[]): Cost {
  const fixed = costs.reduce<number>((total, cost) => (typeof cost === 'number' ? total + cost : total), 0)
  const open = costs.filter((cost) => typeof cost === 'function')
  return open.length === 0 ? fixed : (variables) => open.reduce((total, cost) => total + cost(variables), fixed)
}

export function product(one: Cost, other: Cost): Cost {
  if (one === 0 || other === 0) return 0
  const isFixed = typeof one === 'number' && typeof other === 'number'
  return isFixed ? one * other : (variables) => valueOf(one, variables) * valueOf(other, variables)
}

export function valueOf(cost: Cost, variables: Variables): number {
  return typeof cost === 'number' ? cost : cost(variables)
}

/** Throws INVALID_INPUT (`data.cost`, `data.limit`) if an operation with these variables costs too much. */
export function refuseCostly(cost: Cost, variables: Variables | null | undefined): void {
  const total = valueOf(cost, variables ?? {})
  if (total <= mostCost) return
  const [shown, most] = [total, mostCost].map((number) => number.toLocaleString('en'))
  const detail = `The operation costs ${shown}, and may cost at most ${most}: send fewer IDs, smaller pages, shorter ranges or fewer fields at once`
  throw new AppError('INVALID_INPUT', { detail, data: { cost: total, limit: mostCost } })
}
