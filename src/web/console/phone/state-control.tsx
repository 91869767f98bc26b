import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Menu, type MenuGroup } from '../ui/menu.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { Timer } from '../ui/timer.tsx'
import { type StateChoice, useCallSettings, useOwnPresence, useStateChange } from './agent-state.ts'
import { isBusy, useChosenBreak, useNextReason } from './next-state.ts'
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
  const { choose, next, isPending } = useChoice()
  const [isAsking, setAsking] = useState(false)
  const groups = useStateGroups({ next, onChoose: choose, onAsk: () => setAsking(true) })
  useStateShortcuts(choose)
  useChosenBreak()
  // The provider has not reported it yet: it can be chosen all the same.
  const name = own ? (own.reason ?? texts[own.state]) : texts.unknown
  const face = (
    <span className="state-face" data-pending={isPending || undefined}>
      <Badge tone={own ? tones[own.state] : 'neutral'} hasDot>
        {name}
      </Badge>
      {own && <Timer since={own.since} />}
      {next !== null && <span className="state-next">{texts.next(next)}</span>}
    </span>
  )
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
          <ReasonDialog onClose={() => setAsking(false)} onChoose={choose} />
        </Suspense>
      )}
    </>
  )
}

/** Changes the state, or says what it is to be after the call. `next`: the break that is chosen for then. */
function useChoice() {
  const state = useOwnPresence()?.state
  const { change, isPending } = useStateChange()
  const { reason: next, choose: chooseNext } = useNextReason()
  const choose = useCallback(
    (choice: StateChoice): void => {
      const isLater = choice.state === 'READY' ? state === 'ON_CALL' : isBusy(state)
      // What is chosen already is taken back.
      chooseNext(isLater && choice.state === 'NOT_READY' && choice.reason !== next ? choice.reason : null)
      if (!isLater) void change(choice)
    },
    [state, next, change, chooseNext],
  )
  return { choose, next, isPending }
}

type GroupsProps = { readonly next: string | null; readonly onChoose: (choice: StateChoice) => void; readonly onAsk: () => void }

function useStateGroups({ next, onChoose, onAsk }: GroupsProps): readonly MenuGroup[] {
  const texts = useStateTexts()
  const own = useOwnPresence()
  const { notReadyReasons } = useCallSettings()
  const reasons = notReadyReasons.map((reason) => ({
    id: reason,
    label: reason,
    isChosen: isBusy(own?.state) ? next === reason : own?.state === 'NOT_READY' && own.reason === reason,
    onAction: () => onChoose({ state: 'NOT_READY', reason }),
  }))
  const isReady = own?.state === 'READY' || (own?.state === 'ON_CALL' && next === null)
  const ready = { id: 'ready', label: texts.READY, isChosen: isReady, onAction: () => onChoose({ state: 'READY' }) }
  const other = { id: 'other', label: texts.otherReason, onAction: onAsk }
  return [
    { id: 'calls', title: own?.state === 'ON_CALL' ? texts.takeCallsNext : texts.takeCalls, entries: [ready] },
    { id: 'pause', title: isBusy(own?.state) ? texts.notReadyNext : texts.NOT_READY, entries: reasons.length > 0 ? reasons : [other] },
  ]
}

function useStateShortcuts(choose: (choice: StateChoice) => void): void {
  const texts = useStateTexts()
  const { notReadyReasons } = useCallSettings()
  const [reason] = notReadyReasons
  const shortcuts = useMemo(
    () => [
      { keys: 's r', label: texts.becomeReady, run: () => choose({ state: 'READY' }) },
      ...(reason === undefined
        ? []
        : [{ keys: 's p', label: texts.becomeNotReady(reason), run: () => choose({ state: 'NOT_READY', reason }) }]),
    ],
    [texts, choose, reason],
  )
  useShortcuts(shortcuts)
}
