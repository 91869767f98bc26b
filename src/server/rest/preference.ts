import type { Row } from './row.ts'
import { isObject } from '../graphql/input-faults.ts'

type Variables = Readonly<Record<string, unknown>>

const asynchronous = /(?:^|[,;])\s*respond-async\s*(?:$|[,;])/i

/** The variables, with no time to wait if the client sent `Prefer: respond-async` (RFC 7240) to a row that can answer before it is done. */
export function withPreference({ waitArgument }: Row, variables: Variables, prefer: string | readonly string[] | undefined): Variables {
  if (waitArgument === null || !asynchronous.test(String(prefer ?? ''))) return variables
  const [variable = '', field = ''] = waitArgument.split('.')
  const given = variables[variable]
  return { ...variables, [variable]: { ...(isObject(given) ? given : {}), [field]: 0 } }
}
