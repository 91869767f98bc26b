import { AudioLines } from 'lucide-react'
import { useFormats } from '../../../i18n/format.ts'
import { clockText } from '../../../ui/timer.tsx'
import type { Analysis } from './analysis.ts'
import { InsightCard } from './insights.tsx'
import { useRecordingTexts } from './texts.ts'
import type { VoiceName } from './voices.ts'

/** How much of the talk each voice had. */
export function Talk({ analysis, voices }: { readonly analysis: Analysis; readonly voices: readonly VoiceName[] }) {
  const texts = useRecordingTexts()
  const { number, percent } = useFormats()
  const { speakers, silenceSeconds, longestSilenceSeconds } = analysis
  if (speakers.length === 0) return null
  const clock = (seconds: number): string => clockText(Math.round(seconds))
  return (
    <InsightCard title={texts.talk} icon={<AudioLines />}>
      <svg className="rec-talk" aria-hidden="true" viewBox="0 0 1 1" preserveAspectRatio="none">
        {speakers.map(({ speaker, role, talkShare }, index) => (
          <rect
            key={speaker}
            data-voice={role}
            x={speakers.slice(0, index).reduce((sum, before) => sum + before.talkShare, 0)}
            width={talkShare}
            height="1"
          />
        ))}
      </svg>
      <table className="rec-talk-table">
        <thead>
          <tr>
            <td />
            <th scope="col">{texts.share}</th>
            <th scope="col">{texts.longestMonologue}</th>
            <th scope="col">{texts.interruptions}</th>
          </tr>
        </thead>
        <tbody>
          {speakers.map(({ speaker, role, talkShare, longestMonologueSeconds, interruptions }) => (
            <tr key={speaker}>
              <th scope="row" data-voice={role}>
                {voices.find((voice) => voice.speaker === speaker)?.name}
              </th>
              <td>{percent(talkShare)}</td>
              <td>{clock(longestMonologueSeconds)}</td>
              <td>{number(interruptions)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="rec-quiet numbers">{texts.silences(clock(silenceSeconds), clock(longestSilenceSeconds))}</p>
    </InsightCard>
  )
}
