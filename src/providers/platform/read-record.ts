import type { z } from 'zod'
import type { CountryCode } from '../../kernel/phone.ts'
import type { FieldKind } from '../../ports/records/field.ts'
import type { RecordFields } from '../../ports/records/record.ts'
import { readAmount, readChoice, readFlag, readId, readList, readMoment, readText } from './field-readings.ts'
import { linkOf, momentOf, numberOf, phonesOf, textOf } from './field-values.ts'

/** What a value means in a workspace: the country of a phone number without calling code, the time zone of a time without offset. */
export type ReadingContext = { readonly country?: CountryCode; readonly timeZone?: string }

const readers: { readonly [Kind in FieldKind]: (value: unknown, context: ReadingContext) => unknown } = {
  TEXT: textOf,
  LINE: readText,
  LABEL: readChoice,
  LABELS: readList,
  NUMBER: numberOf,
  AMOUNT: readAmount,
  FLAG: readFlag,
  INSTANT: momentOf,
  CLINIC_INSTANT: (value, { timeZone = 'UTC' }) => readMoment(value, timeZone),
  LINK: linkOf,
  PHONES: (value, { country }) => phonesOf(value, country),
  ID: readId,
}

type Readable<Schema extends z.ZodType> = { readonly fields: RecordFields; readonly schema: Schema }
type Received = { readonly id: string; readonly [field: string]: unknown }

/** A record as its type declares it, from the values that the platform returned; a field that the workspace lacks is null or empty. */
export function readRecord<Schema extends z.ZodType>(
  { fields, schema }: Readable<Schema>,
  received: Received,
  context: ReadingContext = {},
): z.output<Schema> {
  const values = Object.entries(fields).map(([name, { kind }]) => [name, readers[kind](received[name], context)])
  return schema.parse({ ...Object.fromEntries(values), id: received.id })
}
