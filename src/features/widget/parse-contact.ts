import { z } from 'zod'
import { invalidInput } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import { toE164 } from '../../kernel/phone.ts'
import { oneLine } from '../../kernel/text.ts'
import type { Ports } from '../../ports/ports.ts'

/** The name and the phone number that a visitor has given. */
export type VisitorContact = {
  readonly name: string
  /** E.164. */
  readonly phoneNumber: string
}

const schema = z.object({
  name: z
    .string()
    .transform(oneLine)
    .refine((text) => /[^\p{C}\p{Z}\p{M}\uFFFD]/u.test(text), 'is required'),
  phone: z.string().trim().min(1, 'is required'),
})

/** A number without a country code is a number of the workspace's country. Throws INVALID_INPUT. */
export async function parseContact(
  { configuration }: Pick<Ports, 'configuration'>,
  workspaceId: string,
  input: { readonly name: string; readonly phone: string },
): Promise<VisitorContact> {
  const { name, phone } = parseInput(schema, input)
  const { defaultCountry } = await configuration.read(workspaceId, 'telephony')
  const phoneNumber = toE164(phone, defaultCountry)
  if (phoneNumber === null) throw invalidInput('phone', 'is not a phone number; one from abroad begins with + and the country code')
  return { name, phoneNumber }
}
