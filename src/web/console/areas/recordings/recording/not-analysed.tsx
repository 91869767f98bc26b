import { Check, Sparkles } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { keysOf } from '../../../data/keys.ts'
import type { Stage } from './analysis.ts'
import { useRecordingTexts } from './texts.ts'
import type { AnalysisOfCall } from './use-analysis.ts'

/** Asks for the analysis. `reason`: why there is none; null if nobody asked. */
export function NotAnalysed({
  reason,
  analysis: { start, isStarting },
}: {
  readonly reason: string | null
  readonly analysis: AnalysisOfCall
}) {
  const texts = useRecordingTexts()
  return (
    <section className="rec-card" aria-label={texts.insights}>
      <EmptyState icon={<Sparkles />} title={reason === null ? texts.notAnalysed : texts.failed}>
        <>
          <p>{reason === null || reason === '' ? texts.notAnalysedText : reason}</p>
          <Button look="primary" isPending={isStarting} onPress={() => start(false)}>
            {reason === null ? texts.analyse : texts.tryAgain}
          </Button>
        </>
      </EmptyState>
    </section>
  )
}

/** In their order. A failure is no stage on the way. */
const stages = keysOf<Exclude<Stage, 'FAILED'>>({ STARTED: true, FETCHED: true, TRANSCRIBED: true, ANALYSED: true })

/** How far the analysis is. */
export function AnalysisProgress({ stage }: { readonly stage: Stage | null }) {
  const texts = useRecordingTexts()
  const done = stages.findIndex((each) => each === stage)
  return (
    <section className="rec-card rec-progress" aria-label={texts.insights}>
      <h2>{texts.analysing}</h2>
      <div role="status">
        <ol>
          {stages.map((each, index) => (
            <li key={each} data-state={index <= done ? 'done' : index === done + 1 ? 'now' : 'later'}>
              <span aria-hidden="true">{index <= done && <Check />}</span>
              {texts[each]}
            </li>
          ))}
        </ol>
      </div>
      <p className="rec-quiet">{texts.leave}</p>
    </section>
  )
}
