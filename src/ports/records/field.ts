import { z } from 'zod'

/** How the platform's adapter reads a value. The constants below say what each kind returns. */
export type FieldKind =
  | 'TEXT'
  | 'LINE'
  | 'LABEL'
  | 'LABELS'
  | 'NUMBER'
  | 'AMOUNT'
  | 'FLAG'
  | 'INSTANT'
  | 'CLINIC_INSTANT'
  | 'LINK'
  | 'PHONES'
  | 'ID'

/** A field of a platform record. Its key in the record is our name; everything else about it follows from this one declaration. */
export type RecordField = {
  readonly kind: FieldKind
  /** The value as the adapter returns it and as caches hold it. */
  readonly value: z.ZodType
  /** The platform's types that the field may have; provisioning creates the first. */
  readonly types: readonly [string, ...string[]]
  readonly description: string
  /** The label in the CRM, if it does not follow from the field's name. */
  readonly label?: string
  /** The field's name in a standard workspace and in the configuration, if it is not our name. */
  readonly standardName?: string
  readonly isUnique?: true
  /** The values that we write; a SELECT must offer all of them. */
  readonly options?: readonly string[]
  /** Of a relation: the record it leads to. */
  readonly target?: RelationTarget
  /** A password: read from old workspaces, never provisioned, never shown. */
  readonly isSecret?: true
  /** Parses what a manager enters. Without it, managers cannot edit the field. */
  readonly input?: z.ZodType
}

export type RelationTarget = 'agent' | 'lead' | 'doctor' | 'workspaceMember'

/** Text of any length, from a text, a choice, a number, or the parts of a full name or of rich text. */
export const text = { kind: 'TEXT', value: z.string().nullable(), types: ['TEXT'] } as const

/** One line of at most 200 characters. */
export const line = { ...text, kind: 'LINE' } as const

/** One line; a choice such as GENERAL_MEDICINE is read as `General Medicine`. */
export const label = { ...text, kind: 'LABEL', types: ['TEXT', 'SELECT'] } as const

/** Several labels, from a list, several choices, or a text that separates them. */
export const labels = { kind: 'LABELS', value: z.array(z.string()).readonly(), types: ['ARRAY', 'MULTI_SELECT', 'TEXT'] } as const

export const number = { kind: 'NUMBER', value: z.number().nullable(), types: ['NUMBER', 'NUMERIC'] } as const

/** An amount in the workspace's currency, never below zero. */
export const amount = { ...number, kind: 'AMOUNT', types: ['NUMBER', 'NUMERIC', 'CURRENCY'] } as const

/** A boolean, or a word such as `active`. */
export const flag = { kind: 'FLAG', value: z.boolean().nullable(), types: ['BOOLEAN'] } as const

/** A moment as ISO 8601 in UTC. */
export const instant = { ...text, kind: 'INSTANT', types: ['DATE_TIME'] } as const

/** A moment in epoch milliseconds; one without an offset is in the clinic's time zone. */
export const clinicInstant = { ...number, kind: 'CLINIC_INSTANT', types: ['DATE_TIME'] } as const

/** A web address. */
export const link = { ...text, kind: 'LINK', types: ['LINKS', 'TEXT'] } as const

/** Phone numbers, the primary one first; E.164 if they are valid. */
export const phones = {
  kind: 'PHONES',
  value: z.array(z.object({ number: z.string(), valid: z.boolean(), primary: z.boolean() })),
  types: ['PHONES'],
} as const

/** The id of another record. */
export const relation = { ...text, kind: 'ID', types: ['RELATION'] } as const
