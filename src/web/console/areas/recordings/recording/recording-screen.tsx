import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from '../../../state/store.ts'
import { useFormats } from '../../../i18n/format.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { useMember } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { spacedNumber } from '../../../ui/phone-number.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { type CallDetails, readCallDetails } from '../call-details.ts'
import { useNames } from '../names.ts'
import { ScorecardCard } from '../scorecards/scorecard-card.tsx'
import type { Analysis, Utterance } from './analysis.ts'
import { Insights, Origin } from './insights.tsx'
import { AnalysisProgress, NotAnalysed } from './not-analysed.tsx'
import { type Player, usePlayer } from './player.ts'
import { PlayerCard } from './player-card.tsx'
import { recordingSearch } from './recording-search.ts'
import { useSound } from './sound.ts'
import { Talk } from './talk.tsx'
import { useRecordingTexts } from './texts.ts'
import { Transcript } from './transcript.tsx'
import { type AnalysisOfCall, useAnalysis } from './use-analysis.ts'
import { useVoices, type VoiceName } from './voices.ts'
import '../voices.css'
import './recording.css'

const noUtterances: readonly Utterance[] = []

/** One recorded call: its sound, what was said, and what follows from it. */
export function RecordingScreen() {
  const { callId = '' } = useParams({ strict: false })
  return <Recording key={callId} callId={callId} />
}

function Recording({ callId }: { readonly callId: string }) {
  const texts = useRecordingTexts()
  const { q, t } = recordingSearch(useSearch({ strict: false }))
  const details = useDetails(callId)
  const analysis = useAnalysis(callId)
  const player = usePlayer(t ?? null)
  const isKnown = analysis.state.kind !== 'LOADING' && analysis.state.kind !== 'ERROR'
  const { sound, retry } = useSound(isKnown ? callId : null, player)
  const done = analysis.state.kind === 'DONE' ? analysis.state.analysis : null
  const voices = useVoices(done, details)
  const duration = useStore(player.duration) || (done?.duration ?? 0)
  const title = details?.customer ?? (details?.phoneNumber ? spacedNumber(details.phoneNumber) : texts.title)
  if (analysis.state.kind === 'ERROR') {
    return (
      <Page title={texts.title} actions={<Back />}>
        <Card isFlush>
          <ErrorState error={analysis.state.error} onRetry={analysis.retry} />
        </Card>
      </Page>
    )
  }
  return (
    <Page title={title} lead={<Lead details={details} />} actions={<Back />} isWide>
      <PlayerCard player={player} sound={sound} onRetry={retry} analysis={done} duration={duration} voices={voices} />
      {done ? (
        <Analysed analysis={done} of={analysis} player={player} voices={voices} q={q} />
      ) : (
        <NotDone callId={callId} analysis={analysis} player={player} />
      )}
    </Page>
  )
}

type NotDoneProps = { readonly callId: string; readonly analysis: AnalysisOfCall; readonly player: Player }

function NotDone({ callId, analysis, player }: NotDoneProps) {
  const { state } = analysis
  if (state.kind === 'RUNNING') return <AnalysisProgress stage={state.stage} />
  if (state.kind === 'NONE') {
    return (
      <>
        <NotAnalysed reason={state.reason} analysis={analysis} />
        {/* A corrected scorecard is stored longer than its analysis. */}
        <ScorecardCard callId={callId} utterances={noUtterances} player={player} />
      </>
    )
  }
  return (
    <Card>
      <Skeleton rows={8} />
    </Card>
  )
}

type AnalysedProps = {
  readonly analysis: Analysis
  readonly of: AnalysisOfCall
  readonly player: Player
  readonly voices: readonly VoiceName[]
  readonly q: string | undefined
}

/** Beside each other, or one after the other on a phone. */
function Analysed({ analysis, of, player, voices, q }: AnalysedProps) {
  const texts = useRecordingTexts()
  const { role } = useMember()
  const [panel, setPanel] = useState<'transcript' | 'insights'>('transcript')
  const panels = [
    { value: 'transcript', label: texts.transcript },
    { value: 'insights', label: texts.insights },
  ] as const
  return (
    <div className="rec-body" data-shown={panel}>
      <div className="rec-panels">
        <Segments label={texts.panel} options={panels} value={panel} onChange={setPanel} />
      </div>
      <Transcript player={player} utterances={analysis.utterances} voices={voices} q={q} />
      <div className="rec-side" data-panel="insights">
        <Insights analysis={analysis} player={player} />
        <ScorecardCard key={analysis.analyzedAt} callId={analysis.callId} utterances={analysis.utterances} player={player} />
        <Talk analysis={analysis} voices={voices} />
        <Origin analysis={analysis}>
          {role === 'MANAGER' && (
            <Button size="s" isPending={of.isStarting} onPress={() => of.start(true)}>
              {texts.again}
            </Button>
          )}
        </Origin>
      </div>
    </div>
  )
}

function Lead({ details }: { readonly details: CallDetails | null }) {
  const texts = useRecordingTexts()
  const names = useNames()
  const { time } = useFormats()
  if (!details) return null
  const { agentName, startedAt, direction, phoneNumber, customer, disposition } = details
  const parts = [
    customer !== null && phoneNumber !== null ? spacedNumber(phoneNumber) : null,
    agentName === null ? null : texts.with(agentName),
    startedAt === null ? null : time(startedAt),
    direction && names[direction],
    disposition,
  ]
  return <span className="numbers">{parts.filter((part) => part !== null).join(' · ')}</span>
}

function Back() {
  const texts = useRecordingTexts()
  const { history } = useRouter()
  const navigate = useNavigate()
  const leave = (): void => (history.canGoBack() ? history.back() : void navigate({ to: '/recordings' }))
  return (
    <Button icon={<ArrowLeft />} onPress={leave}>
      {texts.back}
    </Button>
  )
}

/** Null until they are known. */
function useDetails(callId: string): CallDetails | null {
  const [details, setDetails] = useState<CallDetails | null>(null)
  useEffect(() => {
    const leaving = new AbortController()
    readCallDetails([callId], leaving.signal).then(
      (found) => setDetails(found.get(callId) ?? null),
      () => {},
    )
    return () => leaving.abort()
  }, [callId])
  return details
}
