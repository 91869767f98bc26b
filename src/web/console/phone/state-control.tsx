import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Menu, type MenuGroup } from '../ui/menu.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { Timer } from '../ui/timer.tsx'
import { type StateChoice, useCallSettings, useOwnPresence, useStateChange } from './agent-state.ts'
import { useStateTexts } from './state-texts.ts'
import './state-control.css'

const ReasonDialog = lazy(() => import('./reason-dialog.tsx').then(({ ReasonDialog }) => ({ default: ReasonDialog })))

const tones = { SIGNED_OUT: 'neutral', NOT_READY: 'warn', READY: 'good', ON_CALL: 'info', WRAP_UP: 'warn' } as const satisfies Record<
  string,
  Tone
>

/** What the signed-in agent does at the telephony provider, for how long, and what they may do instead. */
export function StateControl() {
  const texts = useStateTexts()
  const own = useOwnPresence()
  const { change, isPending } = useStateChange()
  const [isAsking, setAsking] = useState(false)
  const groups = useStateGroups({ onChoose: (choice) => void change(choice), onAsk: () => setAsking(true) })
  useStateShortcuts(change)
  // The provider has not reported it yet: it can be chosen all the same.
  const name = own ? (own.reason ?? texts[own.state]) : texts.unknown
  const face = (
    <span className="state-face" data-pending={isPending || undefined}>
      <Badge tone={own ? tones[own.state] : 'neutral'} hasDot>
        {name}
      </Badge>
      {own && <Timer since={own.since} />}
    </span>
  )
  // The provider refuses every change then. It may not have reported yet that the agent is signed in.
  if (own?.state === 'ON_CALL') return face
  return (
    <>
      <Menu
        label={texts.change}
        look="state-trigger"
        trigger={
          <>
            <span className="visually-hidden">{texts.yourState}</span>
            {face}
            <ChevronDown aria-hidden="true" />
          </>
        }
        groups={groups}
      />
      {isAsking && (
        <Suspense>
          <ReasonDialog onClose={() => setAsking(false)} onChoose={(choice) => void change(choice)} />
        </Suspense>
      )}
    </>
  )
}

type GroupsProps = { readonly onChoose: (choice: StateChoice) => void; readonly onAsk: () => void }

function useStateGroups({ onChoose, onAsk }: GroupsProps): readonly MenuGroup[] {
  const texts = useStateTexts()
  const own = useOwnPresence()
  const { notReadyReasons } = useCallSettings()
  const reasons = notReadyReasons.map((reason) => ({
    id: reason,
    label: reason,
    isChosen: own?.state === 'NOT_READY' && own.reason === reason,
    onAction: () => onChoose({ state: 'NOT_READY', reason }),
  }))
  const ready = { id: 'ready', label: texts.READY, isChosen: own?.state === 'READY', onAction: () => onChoose({ state: 'READY' }) }
  const other = { id: 'other', label: texts.otherReason, onAction: onAsk }
  return [
    { id: 'calls', title: texts.takeCalls, entries: [ready] },
    { id: 'pause', title: texts.NOT_READY, entries: reasons.length > 0 ? reasons : [other] },
  ]
}

function useStateShortcuts(change: (choice: StateChoice) => unknown): void {
  const texts = useStateTexts()
  const { notReadyReasons } = useCallSettings()
  const [reason] = notReadyReasons
  const shortcuts = useMemo(
    () => [
      { keys: 's r', label: texts.becomeReady, run: () => void change({ state: 'READY' }) },
      ...(reason === undefined
        ? []
        : [{ keys: 's p', label: texts.becomeNotReady(reason), run: () => void change({ state: 'NOT_READY', reason }) }]),
    ],
    [texts, change, reason],
  )
  useShortcuts(shortcuts)
}
