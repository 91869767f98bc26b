import { z } from 'zod'
import type { PlatformCall } from '../../ports/call-records.ts'
import type { VisitSlot } from '../../ports/doctors.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import { callRecord } from '../../ports/records/call.ts'
import type { ActivityRoot, anyNode } from './activity-queries.ts'
import { nestedSlots } from './doctors.ts'
import { momentOf } from './field-values.ts'
import { withId } from './filter.ts'
import type { ObjectShape, ObjectShapes } from './object-shapes.ts'
import { readRecord } from './read-record.ts'
import type { RecordGate } from './record-gate.ts'
import { type Node, nodeSchema, type Row } from './record-object.ts'

/** The platform returns at most so many rows of a list inside a record, in no certain order, whatever is asked (2.21, recorded). */
const nestedRows = 60

type Edges = { readonly edges: readonly { readonly node: z.output<typeof anyNode> }[] }

/** A lead with its lists; a list is undefined if it must be read by itself, because it may not be complete. */
export type NestedActivity = {
  readonly row: Row<'lead'>
  readonly activity: Readonly<Record<string, Edges>>
  readonly calls: readonly PlatformCall[] | undefined
  readonly visits: readonly VisitSlot[] | undefined
}

type Question = { readonly leadId: string; readonly roots: readonly ActivityRoot[]; readonly signal: AbortSignal | undefined }

const listSchema = z.object({ edges: z.array(z.object({ node: nodeSchema })) })

/**
 * Reads a lead and all lists of it in one root field, for which the platform counts one of the API key's requests; null if there is no such
 * lead. Errors: PROVIDER_REFUSED (an older platform), PLATFORM_REFUSED (the role may not read one of the lists: then it refuses all).
 */
export async function readNestedActivity(
  options: Parameters<typeof nestedSlots>[0] & { readonly gate: RecordGate; readonly shapes: ObjectShapes },
  access: RecordAccess,
  { leadId, roots, signal }: Question,
): Promise<NestedActivity | null> {
  const { records, shapes, gate } = options
  const [lead, call, slots] = await Promise.all([
    records.object(access, 'lead'),
    records.object(access, 'call'),
    nestedSlots(options, access),
  ])
  const filter = withId(leadId)
  if (!lead || !filter) return null
  const shape = await shapes.of(access, lead.typeName)
  const listOf = (typeName: string | undefined): string | null => (typeName === undefined ? null : listField(shape, typeName))
  const [callField, slotField] = [listOf(call?.typeName), listOf(slots?.typeName)]
  const lists = [
    ...roots.map(({ typeName, selection }) => listPart(listOf(typeName), `id createdAt ${selection}`)),
    listPart(callField, call?.selection(call.fields)),
    listPart(slotField, slots?.selection),
  ].join(' ')
  const fields = ['name', 'status', 'source']
  const document = `query($filter: ${lead.typeName}FilterInput) {
  ${lead.plural}(filter: $filter, first: 1) { edges { node { ${lead.selection(fields)} ${lists} } } }
}`
  const answer = z.object({ [lead.plural]: listSchema })
  const data = await gate({ access, document, variables: { filter }, answer, ...(signal && { signal }) })
  const node = data[lead.plural]?.edges[0]?.node
  if (!node) return null
  const callRows = completeRows(node, callField)
  const slotRows = completeRows(node, slotField)
  return {
    row: lead.row(node, fields),
    activity: Object.fromEntries(
      roots.flatMap(({ plural, typeName, order, first }) => {
        const rows = completeRows(node, listOf(typeName))
        return rows
          ? [
              [
                plural,
                {
                  edges: newest(rows, order)
                    .slice(0, first)
                    .map((row) => ({ node: row })),
                },
              ] as const,
            ]
          : []
      }),
    ),
    calls: call ? callRows?.map((row) => readRecord(callRecord, call.row(row, call.fields))).toSorted(byStart) : undefined,
    visits: slots && slotRows ? await slots.read(slotRows) : undefined,
  }
}

/** The field that lists records of this type; null if there is none, or several. */
function listField(shape: ObjectShape | null, typeName: string): string | null {
  const [field, ...others] = [...(shape ?? [])].filter(([, { typeName: type }]) => type === `${typeName}Connection`)
  return field && others.length === 0 ? field[0] : null
}

function listPart(field: string | null, selection: string | undefined): string {
  return field === null || selection === undefined ? '' : `${field} { edges { node { ${selection} } } }`
}

function completeRows(lead: Node, field: string | null): readonly Node[] | undefined {
  const rows = field === null ? undefined : listSchema.safeParse(lead[field]).data?.edges.map(({ node }) => node)
  return rows && rows.length < nestedRows ? rows : undefined
}

/** Rows without a moment come last. */
function newest(rows: readonly Node[], order: string): readonly Node[] {
  const at = (row: Node): string => momentOf(row[order]) ?? ''
  return rows.toSorted((one, other) => at(other).localeCompare(at(one)))
}

function byStart(one: PlatformCall, other: PlatformCall): number {
  return (other.startedAt ?? '').localeCompare(one.startedAt ?? '')
}
