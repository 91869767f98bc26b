import { useFormats } from '../../../i18n/format.ts'
import { clockText, Timer } from '../../../ui/timer.tsx'
import { Figure, FigureRow } from '../figure.tsx'
import type { Overview } from './overview.ts'
import { useWallboardTexts } from './texts.ts'

/** The six numbers that a supervisor looks for first. */
export function Figures({ overview: { callsNow, today, missedWaiting } }: { readonly overview: Overview }) {
  const texts = useWallboardTexts()
  const { number, percent } = useFormats()
  const { total, serviceLevelSeconds } = today
  const { averageHandlingSeconds: handling, averageTalkSeconds: talk, serviceLevel } = total
  return (
    <FigureRow label={texts.figures}>
      <Figure title={texts.waiting} value={number(callsNow.waiting)} tone={callsNow.waiting > 0 ? 'warn' : 'neutral'}>
        <Longest since={callsNow.longestWaitSince} empty={texts.nobodyWaits} />
      </Figure>
      <Figure title={texts.missedWaiting} value={number(missedWaiting.count)} tone={missedWaiting.count > 0 ? 'warn' : 'neutral'}>
        <Longest since={missedWaiting.oldestAt} empty={texts.nobodyToCall} />
      </Figure>
      <Figure title={texts.level} value={serviceLevel === null ? '–' : percent(serviceLevel)}>
        {serviceLevel === null
          ? texts.noInbound
          : texts.inTime(number(total.answeredInTime), number(total.answeredInbound + total.missed), serviceLevelSeconds)}
      </Figure>
      <Figure title={texts.onCall} value={number(callsNow.onCall)}>
        {texts.ringing(number(callsNow.ringing))}
      </Figure>
      <Figure title={texts.callsToday} value={number(total.calls)}>
        {texts.answeredMissed(number(total.answered), number(total.missed))}
      </Figure>
      <Figure title={texts.handling} value={handling === null ? '–' : clockText(handling)}>
        {talk === null ? texts.noneHandled : texts.talkPart(clockText(talk))}
      </Figure>
    </FigureRow>
  )
}

function Longest({ since, empty }: { readonly since: string | null; readonly empty: string }) {
  const texts = useWallboardTexts()
  if (since === null) return empty
  return (
    <>
      {texts.longest} <Timer since={since} />
    </>
  )
}
