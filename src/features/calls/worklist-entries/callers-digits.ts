import { dialledDigits } from '../../../kernel/phone.ts'
import type { Ports } from '../../../ports/ports.ts'
import { entryIdOf, readEntry } from './entry-store.ts'
import { readReached } from './last-reached.ts'

/**
 * The digits of a number that is no E.164 one, such as an extension, if somebody with it is in the worklist or was on the phone in the last 30
 * days; null for another one, which is a mistake of who typed it. Errors: STORE_UNAVAILABLE.
 */
export async function callersDigits(ports: Pick<Ports, 'store'>, workspaceId: string, written: string): Promise<string | null> {
  const digits = dialledDigits(written)
  const key = { workspaceId, id: entryIdOf(workspaceId, digits) }
  const isKnown = digits !== '' && ((await readEntry(ports, key)) ?? (await readReached(ports, key))) !== null
  return isKnown ? digits : null
}
