import { keysOf } from '../../data/keys.ts'
import type { Tone } from '../../ui/badge.tsx'
import type { ShownState } from './agent-rows.ts'

/** Who can take a call comes first. */
export const stateTones: Readonly<Record<ShownState, Tone>> = {
  READY: 'good',
  ON_CALL: 'info',
  WRAP_UP: 'warn',
  NOT_READY: 'neutral',
  SIGNED_OUT: 'neutral',
}
export const stateOrder = keysOf(stateTones)
