import { z } from 'zod'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import { toE164 } from '../../kernel/phone.ts'

/** A visitor who has said who they are. */
export type VisitorContact = {
  readonly name: string
  /** E.164. */
  readonly phoneNumber: string
}

/** Parses what a visitor wrote; numbers without a country code are of the workspace's country. Throws INVALID_INPUT. */
export type ReadContact = (workspaceId: string, written: { readonly name: string; readonly phone: string }) => Promise<VisitorContact>

const schema = z.object({
  name: z
    .string()
    .transform((text) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim())
    .pipe(z.string().min(1, 'is required').max(120)),
  phone: z.string().trim().min(1, 'is required').max(40),
})

export function createReadContact({ configuration }: { readonly configuration: Configuration }): ReadContact {
  return async (workspaceId, written) => {
    const { name, phone } = parseInput(schema, written)
    const { defaultCountry } = await configuration.read(workspaceId, 'telephony')
    const phoneNumber = toE164(phone, defaultCountry)
    if (phoneNumber === null) throw invalidInput('phone', 'is no phone number; one from abroad begins with + and the country code')
    return { name, phoneNumber }
  }
}
