import { z } from 'zod'
import type { RecordField } from './field.ts'

/** Our name of each field -> its declaration. */
export type RecordFields = { readonly [ourName: string]: RecordField }

/** A record type of the platform, as its file in this folder declares it. */
export type RecordType<Fields extends RecordFields = RecordFields> = {
  /** The object's name in a standard workspace; many of them are called the same with an `s`. */
  readonly singular: string
  /** The icon with which provisioning creates the object. */
  readonly icon: string
  /** What the object's list in the CRM shows first, if provisioning creates the object. */
  readonly columns: readonly NoInfer<keyof Fields & string>[]
  readonly fields: Fields
}

/** Adds the schema of the whole record: its id, and the value of each field. */
export function recordType<const Fields extends RecordFields>(type: RecordType<Fields>) {
  return { ...type, schema: z.object({ id: z.string(), ...valueSchemas(type.fields) }) }
}

function valueSchemas<Fields extends RecordFields>(fields: Fields): { readonly [Name in keyof Fields]: Fields[Name]['value'] }
function valueSchemas(fields: RecordFields): object {
  return Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]))
}

type Shown<Fields extends RecordFields> = {
  readonly [Name in keyof Fields as Fields[Name] extends { readonly isSecret: true } ? never : Name]: Fields[Name]
}

/** The same record type without its passwords. */
export function withoutSecrets<const Fields extends RecordFields>({ fields, ...type }: RecordType<Fields>) {
  return recordType({ ...type, columns: [], fields: shownFields(fields) })
}

function shownFields<Fields extends RecordFields>(fields: Fields): Shown<Fields>
function shownFields(fields: RecordFields): object {
  return Object.fromEntries(Object.entries(fields).filter(([, { isSecret }]) => isSecret !== true))
}

type Inputs<Fields extends RecordFields> = {
  readonly [Name in keyof Fields as Fields[Name] extends { readonly input: z.ZodType } ? Name : never]: Fields[Name] extends {
    readonly input: infer Input extends z.ZodType
  }
    ? z.ZodOptional<z.ZodNullable<Input>>
    : never
}

/** What a manager may enter: each field that has an input schema; a field that is left out or null stays as it is. */
export function inputSchemas<Fields extends RecordFields>(type: RecordType<Fields>): Inputs<Fields>
export function inputSchemas({ fields }: RecordType): object {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, { input }]) => (input ? [[name, input.nullish()]] : [])))
}

/** The field's name in a standard workspace, which is also its key in the configuration. */
export function standardName(ourName: string, field: RecordField | undefined): string {
  return field?.standardName ?? ourName
}

/** The standard names of a record type's fields. */
export type StandardNames<Fields extends RecordFields> = {
  [Name in keyof Fields & string]: Fields[Name] extends { readonly standardName: infer Standard extends string } ? Standard : Name
}[keyof Fields & string]

/** The fields to write. A choice accepts only its declared values. Missing fields do not change. */
export type WriteValues<Fields extends RecordFields> = {
  readonly [Name in keyof Fields]?: Fields[Name] extends { readonly options: readonly (infer Option)[] }
    ? Option | undefined
    : NonNullable<z.output<Fields[Name]['value']>> | undefined
}
