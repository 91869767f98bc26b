import { hashOf } from './sources.ts'
import { type Mutation, operators } from './operators.ts'

/**
 * All mutations in an order that the seed decides, the operators taking their places in rotation. A mutation has its place by its id, so a
 * change elsewhere moves it little.
 */
export function inOrderOf(seed: string, mutations: readonly Mutation[]): readonly Mutation[] {
  const placed = mutations.map((mutation) => ({ mutation, place: hashOf(`${seed} ${mutation.id}`) }))
  const sorted = placed.toSorted((left, right) => (left.place < right.place ? -1 : 1)).map(({ mutation }) => mutation)
  const queues = operators.map((operator) => sorted.filter((mutation) => mutation.operator === operator))
  const longest = Math.max(0, ...queues.map(({ length }) => length))
  return Array.from({ length: longest }, (_, round) => queues.flatMap((queue) => queue[round] ?? [])).flat()
}
