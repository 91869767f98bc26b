import { Grid3x3, Mic, MicOff } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { useShortcuts } from '../ui/shortcuts.tsx'
import { usePhoneControls } from './phone-controls.ts'
import { usePhone } from './phone-state.ts'
import { usePhoneTexts } from './phone-texts.ts'

const tones = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const
/** So many fit beside each other. */
const mostSent = 14

/** The softphone's buttons for its call: the microphone, and tones for menus. */
export function PhoneButtons() {
  const texts = usePhoneTexts()
  const controls = usePhoneControls()
  const { call } = usePhone()
  const [isOpen, setOpen] = useState(false)
  const [sent, setSent] = useState('')
  const isMuted = call?.isMuted === true
  const isTalking = controls !== null && call !== null && call.phase !== 'RINGING'
  const shortcuts = useMemo(
    () => (isTalking ? [{ keys: 'm', label: texts.mute, run: () => controls.setMuted(!isMuted) }] : []),
    [isTalking, texts, controls, isMuted],
  )
  useShortcuts(shortcuts)
  if (!isTalking) return null
  const send = (tone: string): void => {
    controls.sendTone(tone)
    setSent(`${sent}${tone}`.slice(-mostSent))
  }
  const toggle = (): void => {
    setOpen(!isOpen)
    setSent('')
  }
  return (
    <>
      <Button icon={isMuted ? <MicOff /> : <Mic />} aria-pressed={isMuted} onPress={() => controls.setMuted(!isMuted)}>
        {isMuted ? texts.unmute : texts.mute}
      </Button>
      <Button icon={<Grid3x3 />} aria-expanded={isOpen} onPress={toggle}>
        {texts.keypad}
      </Button>
      {isOpen && (
        <div className="phone-keypad" role="group" aria-label={texts.keypad}>
          <output className="phone-sent numbers" aria-label={texts.sent}>
            {sent}
          </output>
          {tones.map((tone) => (
            <Button key={tone} aria-label={texts.tone(tone)} onPress={() => send(tone)}>
              {tone}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}
