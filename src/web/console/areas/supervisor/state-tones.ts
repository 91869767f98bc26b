import type { Tone } from '../../ui/badge.tsx'
import type { ShownState } from './agent-rows.ts'

export const stateTones = {
  READY: 'good',
  ON_CALL: 'info',
  WRAP_UP: 'warn',
  NOT_READY: 'neutral',
  SIGNED_OUT: 'neutral',
} as const satisfies Readonly<Record<ShownState, Tone>>
