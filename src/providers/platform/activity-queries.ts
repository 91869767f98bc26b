import { z } from 'zod'
import { selectionOf } from './field-values.ts'
import type { ObjectShape } from './object-shapes.ts'
import { pascalCase } from './record-object.ts'

/** The platform's activity objects differ between versions, so a node is an untyped object. */
export const anyNode = z.record(z.string(), z.unknown())
export const connection = z.object({ edges: z.array(z.object({ node: anyNode })) }).nullish()

export function nodesOf(part: z.output<typeof connection>): readonly z.output<typeof anyNode>[] {
  return part?.edges.map(({ node }) => node) ?? []
}

/** `targetLeadId` since about 1.13, `leadId` before. */
export function leadColumn(shape: ObjectShape | null | undefined, lead: string): string | null {
  return [`target${pascalCase(lead)}Id`, `${lead}Id`].find((column) => shape?.has(column)) ?? null
}

/** Notes and tasks hold rich text in `bodyV2`, older ones plain text in `body`. */
export function bodyOf(shape: ObjectShape | null | undefined): string {
  const name = ['bodyV2', 'body'].find((field) => shape?.has(field))
  const field = name === undefined ? undefined : shape?.get(name)
  return name === undefined || field === undefined ? '' : `${name}${selectionOf(field) ?? ''}`
}

/** Records that lead to a lead by this column; null if they do not in this workspace. */
export type ActivityRoot = {
  readonly plural: string
  readonly typeName: string
  readonly column: string | null
  readonly selection: string
  /** The newest by this moment. */
  readonly order: string
  readonly first: number
}

/** A root field with the newest records of the lead `$leadId`; null if they have no relation to leads. */
export function root({ plural, column, selection, order, first }: ActivityRoot): string | null {
  if (column === null) return null
  return `${plural}(filter: { ${column}: { eq: $leadId } }, orderBy: [{ ${order}: DescNullsLast }], first: ${first}) {
    edges { node { ${selection} } } }`
}
