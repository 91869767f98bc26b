import { z } from 'zod'
import type { PlatformFields } from '../../ports/configuration/configuration.ts'
import { selectionOf, writableValue } from './field-values.ts'
import type { FieldShape, ObjectShape } from './object-shapes.ts'

export type ObjectName = keyof PlatformFields
/** Our names of an object's fields, and those that every object has. */
export type FieldOf<Name extends ObjectName> = PlatformFields[Name] | 'id' | 'createdAt' | 'updatedAt'
/** A record by our names of its fields; a field that the workspace lacks is absent, a relation is the other record's id. */
export type Row<Name extends ObjectName> = { readonly id: string } & { readonly [Field in FieldOf<Name>]?: unknown }
export type Values<Name extends ObjectName> = { readonly [Field in PlatformFields[Name]]?: string | number | null | undefined }

/** An object as one workspace has it. */
export interface RecordObject<Name extends ObjectName> {
  readonly typeName: string
  /** The workspace's column of a field, `<name>Id` for a relation; null where it lacks the field. */
  column(field: FieldOf<Name>): string | null
  /** Whether a field is a composite one, whose parts a filter names. */
  isComposite(field: FieldOf<Name>): boolean
  /** The allowed values of a choice; null where the field is none. */
  choices(field: FieldOf<Name>): readonly string[] | null
  /** The field and the type of record that it leads to; null where it leads to none. */
  relation(field: FieldOf<Name>): Relation | null
}

export type Relation = { readonly field: string; readonly typeName: string }

/** A record as the platform answers it. */
export const nodeSchema = z.looseObject({ id: z.string() })
const ownFields: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt'])

export type ObjectNames = { readonly singular: string; readonly plural: string; readonly fields: Readonly<Record<string, string>> }

export type KnownObject<Name extends ObjectName> = RecordObject<Name> & {
  readonly plural: string
  selection(fields: readonly FieldOf<Name>[]): string
  orderColumn(field: FieldOf<Name> | undefined): string
  row(node: z.output<typeof nodeSchema>, fields: readonly FieldOf<Name>[]): Row<Name>
  data(values: Values<Name>): Record<string, unknown>
}

type KnownObjectParts = { readonly names: ObjectNames; readonly shape: ObjectShape; readonly lack: (field: string) => void }

export function knownObject<Name extends ObjectName>({ names, shape, lack }: KnownObjectParts): KnownObject<Name> {
  const theirs = (field: string): string => (ownFields.has(field) ? field : (names.fields[field] ?? field))

  const column = (field: string): string | null => {
    const name = theirs(field)
    const found = shape.get(name)
    if (!found) {
      lack(name)
      return null
    }
    if (!found.isObject || selectionOf(found) !== null) return name
    return shape.has(`${name}Id`) ? `${name}Id` : null
  }

  const shapeOf = (column: string): FieldShape => shape.get(column) ?? scalar

  return {
    typeName: pascalCase(names.singular),
    plural: names.plural,
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
    data(values) {
      const data: Record<string, unknown> = {}
      for (const [field, value] of Object.entries<string | number | null | undefined>(values)) {
        const name = value === undefined ? null : column(field)
        const writable = name === null || value === undefined ? undefined : writableValue(shapeOf(name), value)
        if (name !== null && writable !== undefined) data[name] = writable
        else if (name !== null) lack(shapeOf(name).values ? `${name} = ${String(value)}` : name)
      }
      return data
    },
  }
}

const scalar: FieldShape = { typeName: '', isObject: false, values: null }

/** The platform's name of an object's type. */
export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
