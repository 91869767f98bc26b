import { CircleCheck, Sparkles, TrendingUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormats } from '../../../i18n/format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { feelingTone, outcomeTone, useNames } from '../names.ts'
import type { Analysis } from './analysis.ts'
import { Evidence } from './evidence.tsx'
import type { Player } from './player.ts'
import { useRecordingTexts } from './texts.ts'

export type InsightsProps = { readonly analysis: Analysis; readonly player: Player }

/** What the language model concluded, each statement with the sentences that show it. */
export function Insights({ analysis, player }: InsightsProps) {
  const texts = useRecordingTexts()
  const { insights, missing } = analysis
  const statements = [
    { title: texts.wentWell, icon: <CircleCheck />, entries: insights?.wentWell ?? [] },
    { title: texts.toImprove, icon: <TrendingUp />, entries: insights?.toImprove ?? [] },
  ].filter(({ entries }) => entries.length > 0)
  return (
    <>
      <Summary analysis={analysis} player={player} />
      {statements.map(({ title, icon, entries }) => (
        <InsightCard key={title} title={title} icon={icon}>
          <ul className="rec-statements">
            {entries.map(({ text, evidence }) => (
              <li key={text}>
                {text} <Evidence ids={evidence} utterances={analysis.utterances} player={player} />
              </li>
            ))}
          </ul>
        </InsightCard>
      ))}
      {missing.length > 0 && (
        <Notice tone="warn" title={texts.missing}>
          <ul>
            {missing.map(({ part, why }) => (
              <li key={part}>{`${texts[part]}: ${why}`}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}

function Summary({ analysis, player }: InsightsProps) {
  const texts = useRecordingTexts()
  const names = useNames()
  const { summary, topics, sentiment, insights, utterances } = analysis
  const [outcome, satisfaction, mood] = [insights?.outcome ?? null, insights?.satisfaction ?? null, sentiment?.average.sentiment ?? null]
  return (
    <InsightCard title={texts.summary} icon={<Sparkles />}>
      <p>{summary ?? texts.noSummary}</p>
      <dl className="rec-facts">
        {outcome && (
          <Fact title={texts.outcome} value={<Badge tone={outcomeTone[outcome.code]}>{names[outcome.code]}</Badge>}>
            {outcome.text} <Evidence ids={outcome.evidence} utterances={utterances} player={player} />
          </Fact>
        )}
        {satisfaction && (
          <Fact title={texts.satisfaction} value={<Satisfaction score={satisfaction.score} />}>
            {satisfaction.reason} <Evidence ids={satisfaction.evidence} utterances={utterances} player={player} />
          </Fact>
        )}
      </dl>
      {(topics.length > 0 || mood !== null) && (
        <p className="rec-topics">
          {mood !== null && (
            <Badge tone={feelingTone[mood]} hasDot>
              {texts.mood(names[mood])}
            </Badge>
          )}
          {topics.map(({ topic }) => (
            <Badge key={topic}>{topic}</Badge>
          ))}
        </p>
      )}
    </InsightCard>
  )
}

function Satisfaction({ score }: { readonly score: number }) {
  const texts = useRecordingTexts()
  return (
    <span className="rec-score-dots" role="img" aria-label={texts.score(score)}>
      {[1, 2, 3, 4, 5].map((step) => (
        <span key={step} data-on={step <= score} />
      ))}
    </span>
  )
}

function Fact({ title, value, children }: { readonly title: string; readonly value: ReactNode; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <p>{value}</p>
        <p>{children}</p>
      </dd>
    </div>
  )
}

type InsightCardProps = { readonly title: string; readonly icon?: ReactNode; readonly children: ReactNode }

export function InsightCard({ title, icon, children }: InsightCardProps) {
  return (
    <section className="rec-card" aria-label={title}>
      <header className="rec-card-head">
        <h2>
          {icon} {title}
        </h2>
      </header>
      {children}
    </section>
  )
}

/** When and by what it was made, and when it is deleted. */
export function Origin({
  analysis: { model, analyzedAt, expiresAt },
  children,
}: {
  readonly analysis: Analysis
  readonly children?: ReactNode
}) {
  const texts = useRecordingTexts()
  const { moment } = useFormats()
  const models = [model.speech, model.language].filter((name) => name !== null).join(', ')
  return (
    <footer className="rec-origin">
      <p>{`${texts.made(moment(analyzedAt), models)} ${texts.deleted(moment(expiresAt))}`}</p>
      {children}
    </footer>
  )
}
