import { z } from 'zod'
import { dialledDigits } from '../../kernel/phone.ts'
import type { DeadLetter } from '../../ports/dead-letters.ts'

/** What a person recognises a dead letter by. Null is what its content does not say, or not in the form that it must have. */
export type DeadLetterSubject = z.output<typeof subjectSchema> & { readonly key: string | null }

const dialled = z
  .string()
  .max(40)
  .refine((text) => !text.startsWith('+') && dialledDigits(text) !== '')
const subjectSchema = z.object({
  leadId: z.uuid().nullable().catch(null),
  /** E.164, or as it was dialled if it cannot be that. */
  phoneNumber: z.union([z.e164(), dialled]).nullable().catch(null),
  /** When it happened, or when the call began; ISO 8601. */
  occurredAt: z.iso.datetime().nullable().catch(null),
})

/** A value, or a fact of a call record with its source. */
const text = z
  .union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)])
  .nullable()
  .catch(null)
const factsSchema = z.object({ leadId: text, phoneNumber: text, dialledNumber: text, startedAt: text }).nullable().catch(null)
const contentSchema = z.object({
  leadId: text,
  occurredAt: text,
  /** Of a call record. */
  facts: factsSchema,
  /** Of a webhook. */
  update: z.object({ facts: factsSchema }).nullable().catch(null),
})
/** The key of a webhook: the workspace, what it is about, and its ID. */
const webhookKeySchema = z.tuple([z.string(), z.string(), z.string()])

export function deadLetterSubject({ key, value }: Pick<DeadLetter, 'key' | 'value'>): DeadLetterSubject {
  const content = contentSchema.safeParse(jsonOf(Buffer.from(value, 'base64').toString())).data
  const facts = content?.facts ?? content?.update?.facts
  const subject = subjectSchema.parse({
    leadId: content?.leadId ?? facts?.leadId ?? null,
    phoneNumber: facts?.phoneNumber ?? facts?.dialledNumber ?? null,
    occurredAt: content?.occurredAt ?? facts?.startedAt ?? null,
  })
  return { ...subject, key: key === null ? null : (webhookKeySchema.safeParse(jsonOf(key)).data?.[2] ?? key) }
}

function jsonOf(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return null
  }
}
