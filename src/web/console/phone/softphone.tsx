import { useEffect, useMemo } from 'react'
import { Mic, Phone, PhoneOff, Volume2 } from 'lucide-react'
import { useLeadership, takeLead } from '../session/leader.ts'
import { beforeSignOut, hasCall, useOver } from '../session/session.ts'
import { useStore } from '../state/store.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { Notice } from '../ui/notice.tsx'
import { shownNumber, spacedNumber } from '../ui/phone-number.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { failForNow } from './missing-part.ts'
import { useCallerName } from './caller.ts'
import { isInProgress, useCallInProgress, useCallOfNumber, useOwnCalls } from './calls.ts'
import { chosenDevice, chooseDevice } from './devices.ts'
import { hangUpUnderWay, useHangUp } from './hang-up.ts'
import { forgetUcid, readUcid, storeUcid } from './kept-dialog.ts'
import { usePhoneAccount } from './phone-account.ts'
import { useOverAtPhone } from './over-at-phone.ts'
import { changePhone, phoneCommands, type PhoneState, usePhone } from './phone-state.ts'
import { usePhoneTexts } from './phone-texts.ts'
import { ProviderNotice } from './provider-notice.tsx'
import { closeNotification, notify, startRinging } from './ring.ts'
import { SoundElsewhere, SoundOnly } from './sound.tsx'
import { useDevices } from './use-devices.ts'
import './softphone.css'

/** Runs the phone in the tab that leads, rings, and says what happened to a call. */
export function Softphone() {
  useRunningPhone()
  const texts = usePhoneTexts()
  const { call, loss } = usePhone()
  useKnownCall(call)
  useOverAtPhone(call, loss)
  const commands = useStore(phoneCommands)
  const over = useOver()
  const isReleased = over !== null
  useEffect(() => {
    if (isReleased) commands?.release()
  }, [isReleased, commands])
  const isRinging = call?.phase === 'RINGING'
  const hangUp = useHangUp(useCallInProgress())
  const isBusy = call !== null
  useEffect(() => {
    const end = isBusy ? hangUp : hangUpUnderWay
    beforeSignOut.add(end)
    return () => void beforeSignOut.delete(end)
  }, [isBusy, hangUp])
  useEffect(() => {
    hasCall.set(isBusy)
    return () => hasCall.set(false)
  }, [isBusy])
  const { who, about } = useCaller(isRinging ? call.number : '')
  const shortcuts = useMemo(
    () => (isRinging && commands ? [{ keys: 'a', label: texts.answer, run: commands.answer }] : []),
    [isRinging, commands, texts],
  )
  useShortcuts(shortcuts)
  useEffect(() => (isRinging ? startRinging() : undefined), [isRinging])
  useEffect(() => {
    if (isRinging) notify(texts.rings(who), about)
  }, [isRinging, who, about, texts])
  useEffect(() => (isRinging ? closeNotification : undefined), [isRinging])
  return (
    <>
      {isRinging && <Ringing who={who} about={about} />}
      {call?.phase === 'RETURNING' && (
        <div className="phone-message">
          <Notice tone="warn" role="status" title={texts.returning} />
        </div>
      )}
      {loss && <Loss loss={loss} />}
      {over ? (
        <SoundOnly over={over} />
      ) : (
        <>
          <SoundElsewhere />
          <ProviderNotice />
        </>
      )}
    </>
  )
}

/** A call that rings: who calls, and the two answers to it. */
function Ringing({ who, about }: { readonly who: string; readonly about: string }) {
  const texts = usePhoneTexts()
  const commands = useStore(phoneCommands)
  return (
    <section className="phone-ringing" aria-label={texts.rings(who)}>
      <div role="alert">
        <p>{texts.rings(who)}</p>
        <p className="numbers">{about}</p>
      </div>
      <Button look="primary" icon={<Phone />} onPress={() => commands?.answer()}>
        {texts.answer}
      </Button>
      <Button look="danger" icon={<PhoneOff />} onPress={() => void commands?.hangUp()}>
        {texts.decline}
      </Button>
    </section>
  )
}

/** The phone rings with the number alone. Who it is comes with the call's screen pop, some moments later. */
function useCaller(number: string): { readonly who: string; readonly about: string } {
  const own = useCallOfNumber(number)
  const name = useCallerName(own)
  const shown = (own && shownNumber(own)) ?? spacedNumber(number)
  return { who: name ?? shown, about: [name === null ? null : shown, own?.campaignName].filter(Boolean).join(' · ') }
}

/** Which call of the service the phone's call is. */
function useKnownCall(call: PhoneState['call']): void {
  const ucid = useCallInProgress()?.ucid
  const [id, phase] = [call?.id, call?.phase]
  const isNew = phase !== undefined && phase !== 'RETURNING'
  useEffect(() => {
    if (id !== undefined && isNew) forgetUcid()
  }, [id, isNew])
  useEffect(() => {
    if (phase === 'TALKING' && ucid !== undefined) storeUcid(ucid)
  }, [id, phase, ucid])
}

function Loss({ loss }: { readonly loss: NonNullable<PhoneState['loss']> }) {
  const texts = usePhoneTexts()
  const { calls, isKnown } = useOwnCalls()
  const ucid = readUcid()
  const isWaiting = loss === 'WAITING' || loss === 'MICROPHONE_RELOAD'
  // The customer hung up meanwhile: there is nothing to come back. Of a call that the service never knew it cannot say so.
  const isOver = ucid !== null && isKnown && !calls.some((call) => call.ucid === ucid && isInProgress(call))
  if (isOver && (isWaiting || loss === 'RELOAD')) return null
  const dismiss = (
    <Button size="s" look="quiet" onPress={() => changePhone({ loss: null })}>
      {texts.dismiss}
    </Button>
  )
  return (
    <div className="phone-message">
      <Notice tone={isWaiting ? 'warn' : 'bad'} role="alert" title={texts[loss]} actions={dismiss}>
        <p>{texts[`${loss}_ADVICE`]}</p>
      </Notice>
    </div>
  )
}

function useRunningPhone(): void {
  const isLeading = useLeadership() === 'LEADS'
  const follows = useLeadership() === 'FOLLOWS'
  const account = usePhoneAccount(isLeading)
  useEffect(() => {
    if (follows) changePhone({ registration: 'ELSEWHERE' })
    else if (account === null) changePhone({ registration: 'NONE' })
    if (!isLeading || !account) return
    changePhone({ registration: 'CONNECTING' })
    let stop = (): void => undefined
    let isOver = false
    void import('./sip-phone.ts').then(({ SipPhone }) => {
      if (isOver) return
      const phone = new SipPhone(account)
      phoneCommands.set(phone.commands)
      stop = () => phone.stop()
    }, failForNow)
    return () => {
      isOver = true
      phoneCommands.set(null)
      stop()
    }
  }, [isLeading, follows, account])
}

const tones = {
  CONNECTING: 'neutral',
  REGISTERED: 'good',
  REFUSED: 'bad',
  LOST: 'bad',
  ELSEWHERE: 'neutral',
  NONE: 'neutral',
} as const satisfies Record<PhoneState['registration'], Tone>

/** Whether calls can ring here, and with which devices. */
export function PhoneStatus() {
  const texts = usePhoneTexts()
  const { registration } = usePhone()
  const hasCallInProgress = useCallInProgress() !== null
  const commands = useStore(phoneCommands)
  const { devices, isAllowed, ask } = useDevices()
  const groups = (['audioinput', 'audiooutput'] as const).map((kind) => ({
    id: kind,
    title: texts[kind],
    entries: [
      { id: 'system', label: texts.system, isChosen: chosenDevice(kind) === '', onAction: () => chooseDevice(kind, '') },
      ...devices
        .filter((device) => device.kind === kind && device.deviceId !== '' && device.deviceId !== 'default')
        .map(({ deviceId, label }) => ({
          id: deviceId,
          label: label || texts.unnamed,
          icon: kind === 'audioinput' ? <Mic /> : <Volume2 />,
          isChosen: chosenDevice(kind) === deviceId,
          onAction: () => chooseDevice(kind, deviceId),
        })),
    ],
  }))
  const more = {
    id: 'phone',
    title: texts.phone,
    entries: [
      ...(isAllowed ? [] : [{ id: 'ask', label: texts.allow, onAction: ask }]),
      // Where it is now, it would end the call.
      ...(registration === 'ELSEWHERE' && !hasCallInProgress ? [{ id: 'lead', label: texts.takeLead, onAction: takeLead }] : []),
      ...(registration === 'REFUSED' || registration === 'LOST'
        ? [{ id: 'retry', label: texts.retry, onAction: () => commands?.retry() }]
        : []),
    ],
  }
  const trigger = (
    <Badge tone={tones[registration]} hasDot>
      {texts[registration]}
    </Badge>
  )
  return (
    <Menu
      label={texts.phone}
      look="phone-status"
      trigger={trigger}
      groups={[more, ...groups].filter(({ entries }) => entries.length > 0)}
    />
  )
}
