import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { PhoneIncoming, PhoneOutgoing } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { shownNumber } from '../ui/phone-number.tsx'
import { Timer } from '../ui/timer.tsx'
import { useCallTexts } from './call-texts.ts'
import { useCallerName } from './caller.ts'
import { useCallInProgress } from './calls.ts'
import './call-bar.css'

/** The agent's call on every other screen. A call that begins to ring opens the desk, unless the person is in the middle of something. */
export function CallBar() {
  const texts = useCallTexts()
  const call = useCallInProgress()
  const { pathname } = useLocation()
  const name = useCallerName(call)
  useScreenPopOnRing(call?.phase === 'RINGING' ? call.ucid : null)
  if (!call || pathname === '/desk') return null
  const Direction = call.direction === 'INBOUND' ? PhoneIncoming : PhoneOutgoing
  const since = call.answeredAt ?? call.startedAt
  const number = shownNumber(call) ?? texts.withheld
  return (
    <div className="call-bar" role="status" data-phase={call.phase}>
      <Direction aria-hidden="true" />
      <span className="call-bar-who numbers">{name ?? number}</span>
      {name !== null && <span className="numbers">{number}</span>}
      <span>{texts[call.phase]}</span>
      {since !== null && <Timer since={since} />}
      <Link to="/desk">{texts.toDesk}</Link>
    </div>
  )
}

function useScreenPopOnRing(ringing: string | null): void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const shown = useRef<string | null>(null)
  useEffect(() => {
    if (ringing === null || shown.current === ringing) return
    shown.current = ringing
    if (pathname !== '/desk' && !isBusy()) void navigate({ to: '/desk' })
  }, [ringing, pathname, navigate])
}

/** Typing, or in a dialog. */
function isBusy(): boolean {
  const { activeElement } = document
  const isTyping = activeElement?.matches('input, textarea, [contenteditable]') ?? false
  return isTyping || document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
}
