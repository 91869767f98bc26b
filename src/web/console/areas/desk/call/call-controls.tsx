import { CircleDot, CirclePause, Mic, MicOff, Pause, PhoneForwarded, PhoneOff, Play, UserPlus } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { type Call, isInProgress } from '../../../phone/calls.ts'
import { useHangUp } from '../../../phone/hang-up.ts'
import { PhoneButtons } from '../../../phone/phone-buttons.tsx'
import { usePhoneControls } from '../../../phone/phone-controls.ts'
import { usePhone } from '../../../phone/phone-state.ts'
import { Button } from '../../../ui/button.tsx'
import { spacedNumber } from '../../../ui/phone-number.tsx'
import { useShortcuts } from '../../../ui/shortcuts.tsx'
import { type ControlAction, useCallControls } from './control-call.ts'
import { PartyDialog } from './party-dialog.tsx'
import { useDeskTexts } from './texts.ts'

type Toggle = {
  readonly action: ControlAction
  readonly label: string
  readonly icon: ReactNode
  readonly isOn: boolean
  readonly keys?: string
}

/** What can be done with the call: by the softphone if it has it, else by the provider. */
export function CallControls({ call }: { readonly call: Call }) {
  const texts = useDeskTexts()
  const controls = useCallControls(call)
  const phone = usePhoneControls()
  // The bar above every screen has the buttons for a call that rings here.
  const ringsHere = usePhone().call?.phase === 'RINGING'
  const [asking, setAsking] = useState<'TRANSFER' | 'CONFERENCE' | null>(null)
  const toggles = useToggles(call)
  const isTalking = call.phase === 'ANSWERED' && isInProgress(call)
  const can = (action: ControlAction): boolean => call.actions.includes(action)
  const hangUp = useHangUp(call)
  useControlShortcuts(isTalking ? toggles : [], (action) => void controls.act(action))
  if (!isInProgress(call) || ringsHere) return null
  const isTransferring = call.transfer?.status === 'DIALLING' || call.transfer?.status === 'IN_PROGRESS'
  return (
    <div className="desk-controls">
      {/* First: the others come when the service says that the call was answered, and must not come between the person and this one. */}
      {/* Who hangs up during a transfer leaves the call: the transfer's own buttons say it. */}
      {!isTransferring && (phone !== null || can('HANG_UP')) && (
        <Button look="danger" icon={<PhoneOff />} onPress={() => void hangUp()}>
          {texts.hangUp}
        </Button>
      )}
      <PhoneButtons />
      {isTalking &&
        toggles.map(({ action, label, icon, isOn }) => (
          <Button key={label} icon={icon} aria-pressed={isOn} isDisabled={controls.isPending} onPress={() => void controls.act(action)}>
            {label}
          </Button>
        ))}
      {isTalking && can('CONFERENCE') && !isTransferring && (
        <>
          <Button icon={<PhoneForwarded />} onPress={() => setAsking('TRANSFER')}>
            {texts.transfer}
          </Button>
          <Button icon={<UserPlus />} onPress={() => setAsking('CONFERENCE')}>
            {texts.addPerson}
          </Button>
        </>
      )}
      {isTransferring && <TransferUnderWay call={call} />}
      {!isTransferring && <Parties call={call} />}
      <PartyDialog
        kind={asking}
        onClose={() => setAsking(null)}
        onCall={(number) => (asking === 'TRANSFER' ? controls.transfer(number) : controls.act('CONFERENCE', number))}
      />
    </div>
  )
}

function useToggles({ actions, controls: { held, muted, recordingPaused } }: Call): readonly Toggle[] {
  const texts = useDeskTexts()
  const phone = usePhoneControls()
  return useMemo(() => {
    const all: readonly Toggle[] = [
      held
        ? { action: 'UNHOLD', label: texts.unhold, icon: <Play />, isOn: true, keys: 'h' }
        : { action: 'HOLD', label: texts.hold, icon: <Pause />, isOn: false, keys: 'h' },
      muted
        ? { action: 'UNMUTE', label: texts.unmute, icon: <MicOff />, isOn: true, keys: 'm' }
        : { action: 'MUTE', label: texts.mute, icon: <Mic />, isOn: false, keys: 'm' },
      recordingPaused
        ? { action: 'RESUME_RECORDING', label: texts.resumeRecording, icon: <CircleDot />, isOn: true }
        : { action: 'PAUSE_RECORDING', label: texts.pauseRecording, icon: <CirclePause />, isOn: false },
    ]
    // The softphone mutes at the microphone: at once, and without the provider.
    return all.filter(({ action }) => actions.includes(action) && !(phone !== null && (action === 'MUTE' || action === 'UNMUTE')))
  }, [actions, held, muted, recordingPaused, texts, phone])
}

function useControlShortcuts(toggles: readonly Toggle[], run: (action: ControlAction) => void): void {
  const shortcuts = useMemo(
    () => toggles.flatMap(({ keys, label, action }) => (keys === undefined ? [] : [{ keys, label, run: () => run(action) }])),
    [toggles, run],
  )
  useShortcuts(shortcuts)
}

/** The agent hears the third party, and says what happens next: the provider reports nothing. */
function TransferUnderWay({ call }: { readonly call: Call }) {
  const texts = useDeskTexts()
  const { complete, cancel, isPending } = useCallControls(call)
  return (
    <div className="desk-transfer" role="status">
      <p>{texts.transferring(spacedNumber(call.transfer?.to ?? ''))}</p>
      <Button size="s" isPending={isPending} onPress={() => void complete()}>
        {texts.completeTransfer}
      </Button>
      <Button size="s" look="quiet" isDisabled={isPending} onPress={() => void cancel()}>
        {texts.cancelTransfer}
      </Button>
    </div>
  )
}

/** Who was added to the call. */
function Parties({ call }: { readonly call: Call }) {
  const texts = useDeskTexts()
  const { act, isPending } = useCallControls(call)
  return call.controls.parties.map((number) => (
    <div key={number} className="desk-transfer">
      <p>
        {texts.inCall} <span className="numbers">{spacedNumber(number)}</span>
      </p>
      <Button size="s" look="quiet" isPending={isPending} onPress={() => void act('KICK', number)}>
        {texts.removePerson}
      </Button>
    </div>
  ))
}
