import { type ArgumentNode, Kind, type OperationDefinitionNode, type ValueNode, valueFromASTUntyped } from 'graphql'
import { isRecord } from '../envelope.ts'
import type { Cost, Variables } from './cost.ts'

/** The arguments of one use of a field. */
export type Given = { readonly arguments: readonly ArgumentNode[] | undefined; readonly operation: OperationDefinitionNode }

/** Counts something in the values of arguments, now or as soon as the variables are known. `defaults`: of arguments that are left out. */
export function counted(
  { given, names, defaults = {} }: { readonly given: Given; readonly names: readonly string[]; readonly defaults?: Variables },
  count: (values: readonly unknown[]) => number,
): Cost {
  const nodes = names.map((name) => given.arguments?.find((argument) => argument.name.value === name)?.value)
  const used = [...new Set(nodes.flatMap((node) => (node ? variablesIn(node) : [])))].map((name) => ({
    name,
    usual: defaultOf(name, given),
  }))
  const countWith = (variables: Variables): number => {
    const known = Object.fromEntries(used.map(({ name, usual }) => [name, Object.hasOwn(variables, name) ? variables[name] : usual]))
    return count(
      nodes.map((node, index) => {
        const value = node && valueFromASTUntyped(node, known)
        return value === undefined ? defaults[names[index] ?? ''] : value
      }),
    )
  }
  return used.length === 0 ? countWith({}) : countWith
}

function defaultOf(name: string, { operation }: Given): unknown {
  const node = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue
  return node && valueFromASTUntyped(node)
}

function variablesIn(value: ValueNode): readonly string[] {
  if (value.kind === Kind.LIST) return value.values.flatMap(variablesIn)
  if (value.kind === Kind.OBJECT) return value.fields.flatMap((field) => variablesIn(field.value))
  return value.kind === Kind.VARIABLE ? [value.name.value] : []
}

/** Of a list; a value in the place of a list is a list of one. */
export function entriesOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** Equal IDs count once. An entry that is an object is known by its `id`. A list that is too long is refused, whatever it has. */
export function differentEntries(value: unknown, most: number): number {
  const entries = entriesOf(value)
  if (entries.length > most) return most
  const ids = entries.map((entry) => (isRecord(entry) ? entry['id'] : entry))
  return new Set(ids.map((id) => (typeof id === 'string' ? id.toLowerCase() : id))).size
}

const dayMs = 86_400_000

/** The days of a range, both ends included. Without an end, or with one that is no date, the most. */
export function daysOf([from, to]: readonly unknown[], most: number): number {
  const days = Math.floor((dateOf(to) - dateOf(from)) / dayMs) + 1
  return Number.isNaN(days) ? most : Math.min(Math.max(days, 1), most)
}

function dateOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN
}
