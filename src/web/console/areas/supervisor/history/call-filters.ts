import type { EnumOf } from '../../../data/graphql.ts'
import { keysOf } from '../../../data/keys.ts'

type Direction = EnumOf<'CallDirection'>
type Status = EnumOf<'CallPhase'>
export type CallFilters = { readonly direction: Direction | null; readonly status: Status | null; readonly phoneNumber: string | null }

export const directions = keysOf<Direction>({ INBOUND: true, OUTBOUND: true })
export const statuses = keysOf<Status>({ COMPLETED: true, MISSED: true, ANSWERED: true, RINGING: true })
