import { z } from 'zod'
import type { FieldsOf, RecordName } from '../../ports/records/platform-records.ts'
import { type RecordType, standardName } from '../../ports/records/record.ts'
import { selectionOf, withoutNul, writableValue } from './field-values.ts'
import type { FieldShape, ObjectShape } from './object-shapes.ts'

/** Our names of a record's fields, and those that every record has. */
export type FieldOf<Name extends RecordName> = (keyof FieldsOf<Name> & string) | 'id' | 'createdAt' | 'updatedAt' | 'deletedAt'
/** A record by our names of its fields; a field that the workspace lacks is absent, a relation is the other record's id. */
export type Row<Name extends RecordName> = { readonly id: string } & { readonly [Field in FieldOf<Name>]?: unknown }
export type Values<Name extends RecordName> = { readonly [Field in keyof FieldsOf<Name>]?: string | number | null | undefined }

/** An object as one workspace has it. */
export interface RecordObject<Name extends RecordName> {
  readonly typeName: string
  /** The workspace's column of a field, `<name>Id` for a relation; null if it lacks the field. */
  column(field: FieldOf<Name>): string | null
  /** Whether a field is a composite one, whose parts a filter names. */
  isComposite(field: FieldOf<Name>): boolean
  /** The allowed values of a choice; null if the field is none. */
  choices(field: FieldOf<Name>): readonly string[] | null
  /** The field and the type of the other record; null if the field is no relation. */
  relation(field: FieldOf<Name>): Relation | null
}

export type Relation = { readonly field: string; readonly typeName: string }

/** A record as the platform returns it. */
export const nodeSchema = z.looseObject({ id: z.string() })
export type Node = z.output<typeof nodeSchema>
const ownFields: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt', 'deletedAt'])

export type ObjectNames = { readonly singular: string; readonly plural: string; readonly fields: Readonly<Record<string, string>> }

export type KnownObject<Name extends RecordName> = RecordObject<Name> & {
  readonly plural: string
  /** All fields that are declared. */
  readonly fields: readonly string[]
  selection(fields: readonly string[]): string
  orderColumn(field: FieldOf<Name> | undefined): string
  row(node: z.output<typeof nodeSchema>, fields: readonly string[]): Row<Name>
  /** `current`: the record as it is, for links. */
  data(values: Values<Name>, current?: Row<Name>): Record<string, unknown>
  /** Whether these are parts of links: the platform clears the other parts. */
  hasLinks(values: Values<Name>): boolean
}

export function knownObject<Name extends RecordName>({
  type,
  names,
  shape,
  lack,
}: {
  readonly type: RecordType
  readonly names: ObjectNames
  readonly shape: ObjectShape
  readonly lack: (field: string) => void
}): KnownObject<Name> {
  const theirs = (field: string): string => {
    const standard = standardName(field, type.fields[field])
    return ownFields.has(field) ? field : (names.fields[standard] ?? standard)
  }

  const column = (field: string): string | null => {
    const name = theirs(field)
    const found = shape.get(name)
    if (!found) {
      // Only old workspaces have passwords.
      if (type.fields[field]?.isSecret !== true) lack(name)
      return null
    }
    if (!found.isObject || selectionOf(found) !== null) return name
    return shape.has(`${name}Id`) ? `${name}Id` : null
  }

  const shapeOf = (column: string): FieldShape => shape.get(column) ?? scalar

  return {
    typeName: pascalCase(names.singular),
    plural: names.plural,
    fields: Object.keys(type.fields),
    column,
    isComposite: (field) => shape.get(theirs(field))?.isObject === true,
    relation(field) {
      const found = shape.get(theirs(field))
      const isRelation = found?.isObject === true && selectionOf(found) === null
      return isRelation ? { field: theirs(field), typeName: found.typeName } : null
    },
    choices: (field) => shape.get(theirs(field))?.values ?? null,
    selection(fields) {
      const columns = new Set(['id', ...fields.map(column).filter((name) => name !== null)])
      return [...columns].map((name) => `${name}${selectionOf(shapeOf(name)) ?? ''}`).join(' ')
    },
    orderColumn: (field) => (field === undefined ? null : column(field)) ?? 'createdAt',
    row(node, fields) {
      const entries = fields.map((field) => [field, column(field)] as const)
      const present = entries.flatMap(([field, name]) => (name === null ? [] : [[field, node[name]] as const]))
      return { ...Object.fromEntries(present), id: node.id }
    },
    hasLinks: (values) =>
      Object.entries<unknown>(values).some(([field, value]) => value !== undefined && shape.get(theirs(field))?.typeName === 'Links'),
    data: (values, current) => writableData(values, new Map(Object.entries<unknown>(current ?? {})), { column, shapeOf, lack }),
  }
}

type Columns = {
  readonly column: (field: string) => string | null
  readonly shapeOf: (column: string) => FieldShape
  readonly lack: (field: string) => void
}
type GivenValues = Readonly<Record<string, string | number | null | undefined>>

function writableData(values: GivenValues, current: ReadonlyMap<string, unknown>, { column, shapeOf, lack }: Columns) {
  const data: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(values)) {
    const name = value === undefined ? null : column(field)
    if (name === null || value === undefined) continue
    const writable = writableValue(shapeOf(name), withoutNul(value), current.get(field))
    if (writable !== undefined) data[name] = writable
    else lack(shapeOf(name).values ? `${name} = ${String(value)}` : `${name} = a value that does not fit`)
  }
  return data
}

const scalar: FieldShape = { typeName: '', isObject: false, values: null }

/** The platform's name of an object's type. */
export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
