import { useQuery } from 'urql'
import type { ResultOf } from '../../../data/graphql.ts'
import { useFormats } from '../../../i18n/format.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { useNames, verdicts } from '../names.ts'
import { historyDocument, type Scorecard } from './scorecard.ts'
import { useScorecardTexts } from './texts.ts'

type Entry = ResultOf<typeof historyDocument>['auditLog']['nodes'][number]
type HistoryDialogProps = { readonly scorecard: Scorecard; readonly onClose: () => void }

/** Every correction of this scorecard, the newest first, from the audit log. */
export function HistoryDialog({ scorecard, onClose }: HistoryDialogProps) {
  const texts = useScorecardTexts()
  const variables = { callId: scorecard.callId }
  const [{ data, error }] = useQuery({ query: historyDocument, variables, requestPolicy: 'network-only' })
  const entries = data?.auditLog.nodes
  return (
    <Dialog title={texts.historyTitle} isOpen onClose={onClose}>
      {error ? (
        <ErrorState error={error} />
      ) : !entries ? (
        <Skeleton rows={3} />
      ) : entries.length === 0 ? (
        <p className="rec-quiet">{texts.historyEmpty}</p>
      ) : (
        <ol className="rec-history">
          {entries.map((entry) => (
            <HistoryEntry key={entry.id} entry={entry} scorecard={scorecard} />
          ))}
        </ol>
      )}
    </Dialog>
  )
}

function HistoryEntry({ entry: { at, action, actor, details }, scorecard }: { readonly entry: Entry; readonly scorecard: Scorecard }) {
  const texts = useScorecardTexts()
  const names = useNames()
  const { moment } = useFormats()
  const fact = (name: string): string | null => details.find((detail) => detail.name === name)?.value ?? null
  const verdictOf = (name: string): string => {
    const verdict = verdicts.find((value) => value === fact(name))
    return verdict ? names[verdict] : texts.noVerdict
  }
  const key = fact('criterion')
  const criterion = scorecard.criteria.find((each) => each.key === key)?.name ?? key ?? ''
  const former = fact('former') === null ? verdictOf('modelVerdict') : verdictOf('former')
  const verdict = verdictOf('verdict')
  const change = former === verdict ? texts.historyConfirmed(criterion, verdict) : `${criterion}: ${former} → ${verdict}`
  return (
    <li>
      <p className="rec-criterion-name">{action === 'scorecard.correctionWithdrawn' ? texts.historyWithdrawn(criterion) : change}</p>
      <blockquote>{fact('reason')}</blockquote>
      <p className="rec-quiet">
        {actor.name ?? texts.somebody} · <time dateTime={at}>{moment(at)}</time>
      </p>
    </li>
  )
}
