import { useFormats } from '../../../i18n/format.ts'
import type { Analysis } from './analysis.ts'
import { useRecordingTexts } from './texts.ts'

type SentimentStripProps = { readonly sentiment: NonNullable<Analysis['sentiment']>; readonly duration: number }

const height = 28

/** The mood over time, below the waveform: good is up, bad is down. */
export function SentimentStrip({ sentiment: { timeline }, duration }: SentimentStripProps) {
  const texts = useRecordingTexts()
  const { percent } = useFormats()
  const shareOf = (feeling: string): string => {
    const seconds = timeline.filter(({ sentiment }) => sentiment === feeling).reduce((sum, { start, end }) => sum + end - start, 0)
    return percent(duration > 0 ? seconds / duration : 0)
  }
  const label = `${texts.sentiment}. ${texts.sentimentSummary(shareOf('POSITIVE'), shareOf('NEGATIVE'))}`
  return (
    <svg className="rec-mood" role="img" aria-label={label} viewBox={`0 0 ${duration} ${height}`} preserveAspectRatio="none">
      <line x1="0" x2={duration} y1={height / 2} y2={height / 2} />
      {timeline.map(({ start, end, sentiment, score }) => {
        const size = Math.max(1, Math.abs(score) * (height / 2))
        return (
          <rect
            key={start}
            data-feeling={sentiment}
            x={start}
            width={Math.max(0, end - start)}
            y={score >= 0 ? height / 2 - size : height / 2}
            height={size}
          />
        )
      })}
    </svg>
  )
}
