import { z } from 'zod'
import type { DeepReadonly } from '../../kernel/freeze.ts'
import { isTimeZone } from '../../kernel/time-zone.ts'
import { platformRecords } from '../records/platform-records.ts'
import { type RecordFields, type RecordType, standardName, type StandardNames } from '../records/record.ts'

/** Camel case, as the platform requires. Such a name can be put into a query without escaping. */
const named = (standard: string) =>
  z
    .string()
    .max(63)
    .regex(/^[a-z][a-zA-Z0-9]*$/, 'must be a camelCase name of the platform')
    .default(standard)

const role = (description: string) => z.string().trim().min(1).max(100).nullable().default(null).describe(description)

function objectNames<Fields extends RecordFields>({ singular, fields }: RecordType<Fields>) {
  return z.strictObject({
    singular: named(singular).describe('Name of one'),
    plural: named(`${singular}s`).describe('Name of many'),
    fields: fieldNames(fields).describe('The standard name of each field and the one it has in this workspace'),
  })
}

type FieldNames<Fields extends RecordFields> = z.ZodObject<
  { readonly [Name in StandardNames<Fields>]: z.ZodDefault<z.ZodString> },
  z.core.$strict
>

function fieldNames<Fields extends RecordFields>(fields: Fields): z.ZodPrefault<FieldNames<Fields>>
function fieldNames(fields: RecordFields) {
  const shape = Object.entries(fields).map(([ourName, field]) => {
    const name = standardName(ourName, field)
    return [name, named(name).describe(field.description)]
  })
  return z.strictObject(Object.fromEntries(shape)).prefault({})
}

export const platformSection = z
  .strictObject({
    apiKey: z
      .string()
      .trim()
      .min(1)
      .max(4_000)
      .meta({ secret: true })
      .nullable()
      .default(null)
      .describe("The workspace's API key, for writes that no member asked for"),
    roles: z
      .strictObject({
        manager: role('The platform role that makes a member a manager here. Null: PLATFORM_MANAGER_ROLE, else Manager or Admin'),
        user: role('The platform role that makes a member a user here. Null: PLATFORM_USER_ROLE, else User or Member'),
      })
      .prefault({})
      .describe('Labels of the two platform roles. Somebody who may change all settings of the platform is always a manager'),
    objects: z
      .strictObject({
        agent: objectNames(platformRecords.agent).prefault({}),
        lead: objectNames(platformRecords.lead).prefault({}),
        call: objectNames(platformRecords.call).prefault({}),
        doctor: objectNames(platformRecords.doctor).prefault({}),
        visitSlot: objectNames(platformRecords.visitSlot).prefault({}),
      })
      .prefault({})
      .describe('Names of the platform objects and fields that the service reads and writes'),
    visits: z
      .strictObject({
        timeZone: z
          .string()
          .trim()
          .max(60)
          .refine(isTimeZone, 'must be a time zone of the IANA database, such as Asia/Kolkata')
          .default('Asia/Kolkata')
          .describe("The clinic's time zone (IANA name); visit times are shown in it"),
        slotMinutes: z.int().min(5).max(480).default(15).describe('Length of a visit in minutes if its slot has no end'),
      })
      .prefault({})
      .describe('Visits to doctors'),
  })
  .describe('Platform')

export type PlatformSection = DeepReadonly<z.output<typeof platformSection>>
