import { History, ListChecks, Pencil } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useQuery } from 'urql'
import { serviceErrorOf } from '../../../data/service-error.ts'
import { useFormats } from '../../../i18n/format.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { useMember } from '../../../session/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { useNames, verdictTone } from '../names.ts'
import type { Utterance } from '../recording/analysis.ts'
import { Evidence } from '../recording/evidence.tsx'
import type { Player } from '../recording/player.ts'
import { type Criterion, type Scorecard, scorecardDocument } from './scorecard.ts'
import { useScorecardTexts } from './texts.ts'
import './scorecards.css'

const CorrectionDialog = lazy(() => import('./correction-dialog.tsx').then(({ CorrectionDialog }) => ({ default: CorrectionDialog })))
const HistoryDialog = lazy(() => import('./history-dialog.tsx').then(({ HistoryDialog }) => ({ default: HistoryDialog })))

type ScorecardCardProps = { readonly callId: string; readonly utterances: readonly Utterance[]; readonly player: Player }

/** The verdicts on the workspace's criteria: the model's with its evidence, and the managers' corrections. */
export function ScorecardCard({ callId, ...evidence }: ScorecardCardProps) {
  const texts = useScorecardTexts()
  const { role } = useMember()
  const [{ data, error }, read] = useQuery({ query: scorecardDocument, variables: { callId } })
  const [open, setOpen] = useState<{ readonly kind: 'history' } | { readonly kind: 'correction'; readonly key: string } | null>(null)
  const scorecard = data?.scorecard
  const again = (): void => read({ requestPolicy: 'network-only' })
  const close = (): void => setOpen(null)
  // Calls that were analysed before there were scorecards.
  if (!scorecard) return error && serviceErrorOf(error)?.code !== 'NOT_FOUND' ? <ErrorState error={error} onRetry={again} /> : null
  const chosen = scorecard.criteria.find(({ key }) => open?.kind === 'correction' && key === open.key)
  return (
    <section className="rec-card" aria-label={texts.scorecard}>
      <header className="rec-card-head">
        <h2>
          <ListChecks aria-hidden="true" /> {texts.scorecard}
        </h2>
        {role === 'MANAGER' && (
          <Button size="s" look="quiet" icon={<History />} onPress={() => setOpen({ kind: 'history' })}>
            {texts.history}
          </Button>
        )}
      </header>
      <Score scorecard={scorecard} />
      <ul className="rec-criteria">
        {scorecard.criteria.map((criterion) => (
          <CriterionEntry
            key={criterion.key}
            criterion={criterion}
            {...evidence}
            onCorrect={role === 'MANAGER' ? () => setOpen({ kind: 'correction', key: criterion.key }) : null}
          />
        ))}
      </ul>
      <Suspense>
        {chosen && <CorrectionDialog scorecard={scorecard} criterion={chosen} onClose={close} onChanged={again} />}
        {open?.kind === 'history' && <HistoryDialog scorecard={scorecard} onClose={close} />}
      </Suspense>
    </section>
  )
}

function Score({ scorecard: { score, modelScore, criteria } }: { readonly scorecard: Scorecard }) {
  const texts = useScorecardTexts()
  if (criteria.length === 0) return <p className="rec-quiet">{texts.noCriteria}</p>
  if (score === null) return <p className="rec-quiet">{texts.noScore}</p>
  return (
    <div className="rec-score" role="group" aria-label={texts.score(score)}>
      <p className="numbers">
        <span className="rec-score-value">{score}</span> <span className="rec-quiet">{'/ 100'}</span>
        {modelScore !== null && modelScore !== score && <span className="rec-quiet">{` · ${texts.modelScore(modelScore)}`}</span>}
      </p>
      <meter className="rec-meter" min={0} max={100} value={score} aria-label={texts.scorecard} />
    </div>
  )
}

type CriterionProps = Omit<ScorecardCardProps, 'callId'> & { readonly criterion: Criterion; readonly onCorrect: (() => void) | null }

function CriterionEntry({ criterion, utterances, player, onCorrect }: CriterionProps) {
  const texts = useScorecardTexts()
  const names = useNames()
  const { name, question, weight, verdict, model, correction } = criterion
  return (
    <li>
      <div className="rec-criterion-head">
        <p className="rec-criterion-name" title={question}>
          {name} <span className="rec-quiet numbers">{texts.weight(weight)}</span>
        </p>
        {verdict === null ? <Badge>{texts.noVerdict}</Badge> : <Badge tone={verdictTone[verdict]}>{names[verdict]}</Badge>}
      </div>
      <p className="rec-criterion-text">
        {model ? (model.reason ?? '') : texts.noVerdictText}{' '}
        {model && <Evidence ids={model.evidence} utterances={utterances} player={player} />}
      </p>
      {correction && <CorrectionNote correction={correction} model={model} />}
      {onCorrect && (
        <Button size="s" look="quiet" icon={<Pencil />} aria-label={texts.correctOf(name)} onPress={onCorrect}>
          {texts.correct}
        </Button>
      )}
    </li>
  )
}

type CorrectionNoteProps = { readonly correction: NonNullable<Criterion['correction']>; readonly model: Criterion['model'] }

/** Who said otherwise, when and why. */
function CorrectionNote({ correction: { verdict, reason, at, by }, model }: CorrectionNoteProps) {
  const texts = useScorecardTexts()
  const names = useNames()
  const { moment } = useFormats()
  const isSame = model?.verdict === verdict
  return (
    <div className="rec-correction">
      <p>{isSame ? texts.confirmed(by.name, moment(at)) : texts.corrected(by.name, moment(at))}</p>
      <blockquote>{reason}</blockquote>
      {model && !isSame && <p className="rec-quiet">{texts.modelSaid(names[model.verdict])}</p>}
    </div>
  )
}
