import type { CountryCode } from '../../../kernel/phone.ts'
import type { ReportedCallFacts } from '../../../ports/call-facts.ts'
import { present } from '../field-values.ts'
import { numberOf } from './wire.ts'

type Transferred = Pick<ReportedCallFacts, 'transferTarget' | 'transferredTo'>

const longest = 100

/**
 * Whether a record reports a transfer, and to whom. The fields are documented, their values are not: `No Transfers` has been seen, the kinds
 * are inferred. So an unknown kind is a transfer too, and a number says more than the kind.
 */
export function transferOf({ type, to }: { readonly type: string; readonly to: string }, country: CountryCode): Transferred {
  const name = present(to)
  const isTransfer = present(type) === null ? name !== null : !/^(?:no\b|not\b|0$|false$|n\/?a$|-)/i.test(type)
  if (!isTransfer) return {}
  const phoneNumber = numberOf(to, country)
  return { transferTarget: phoneNumber === null ? targetOf(type) : 'NUMBER', transferredTo: phoneNumber ?? name?.slice(0, longest) ?? null }
}

function targetOf(type: string): NonNullable<Transferred['transferTarget']> {
  if (/agent/i.test(type)) return 'AGENT'
  if (/skill|queue|group|campaign/i.test(type)) return 'QUEUE'
  return /phone|number|external|mobile/i.test(type) ? 'NUMBER' : 'OTHER'
}
