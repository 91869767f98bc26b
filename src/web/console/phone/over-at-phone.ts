import { useEffect, useRef } from 'react'
import { useCallOfNumber } from './calls.ts'
import { type PhoneOver, phoneOver } from './phone-over.ts'
import type { PhoneState } from './phone-state.ts'

/** By then the provider has reported the end, if nothing is lost. */
const reportMs = 3_000

/** Says when the phone has its call no more, unless only the sound was lost. The same call may ring again. */
export function useOverAtPhone(call: PhoneState['call'], loss: PhoneState['loss']): void {
  const ucid = useCallOfNumber(call?.number ?? '')?.ucid
  const had = useRef<Pick<PhoneOver, 'ucid' | 'wasAnswered'> | null>(null)
  const phase = call?.phase
  useEffect(() => {
    if (phase !== 'RINGING') return
    had.current = null
    phoneOver.set(null)
  }, [phase])
  useEffect(() => {
    if (phase !== undefined && ucid !== undefined) had.current = { ucid, wasAnswered: phase !== 'RINGING' && phase !== 'CONNECTING' }
  }, [phase, ucid])
  useEffect(() => {
    if (phase !== undefined) return
    const over = had.current
    had.current = null
    // A notice that the person dismisses later says nothing about the call.
    if (!over || loss !== null) return
    const at = Date.now()
    const timer = setTimeout(() => phoneOver.set({ ...over, at }), reportMs)
    return () => clearTimeout(timer)
  }, [phase, loss])
}
