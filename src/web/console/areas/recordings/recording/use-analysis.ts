import { ServiceError } from '@call-center-sidecar/client'
import { useCallback, useEffect, useState } from 'react'
import { useQuery } from 'urql'
import { service } from '../../../data/service-client.ts'
import { serviceErrorOf } from '../../../data/service-error.ts'
import { useAction } from '../../../data/use-action.ts'
import { type Analysis, analysisDocument, analyzeDocument, progressDocument, type Stage, statusDocument } from './analysis.ts'

export type AnalysisState =
  | { readonly kind: 'LOADING' }
  | { readonly kind: 'DONE'; readonly analysis: Analysis }
  /** `stage`: null while it waits for its turn. */
  | { readonly kind: 'RUNNING'; readonly stage: Stage | null }
  /** `reason`: why it failed or waits; null if nobody asked for it. */
  | { readonly kind: 'NONE'; readonly reason: string | null }
  | { readonly kind: 'ERROR'; readonly error: unknown }

export type AnalysisOfCall = {
  readonly state: AnalysisState
  readonly isStarting: boolean
  /** Analyses the recording; `isForced`: although there is an analysis. */
  readonly start: (isForced: boolean) => void
  readonly retry: () => void
}

/** The analysis of a call's recording, how far it is, or why there is none. */
export function useAnalysis(callId: string): AnalysisOfCall {
  const variables = { callId }
  const [analysis, readAnalysis] = useQuery({ query: analysisDocument, variables, requestPolicy: 'network-only' })
  const [status, readStatus] = useQuery({ query: statusDocument, variables, requestPolicy: 'network-only' })
  // How often it was started here since the last end.
  const [started, setStarted] = useState(0)
  const { run, isPending } = useAction(analyzeDocument)
  const found = analysis.data?.recordingAnalysis
  const state = status.data?.recordingStatus
  const isRunning = started > 0 || (found && 'stage' in found) || (!found && (state?.state === 'RUNNING' || state?.state === 'WAITING'))
  const retry = useCallback(() => {
    readAnalysis({ requestPolicy: 'network-only' })
    readStatus({ requestPolicy: 'network-only' })
  }, [readAnalysis, readStatus])
  const end = useCallback(() => {
    setStarted(0)
    retry()
  }, [retry])
  const progress = useProgress(callId, isRunning ? started : null, end)
  const start = useCallback(
    async (isForced: boolean) => {
      // A stored analysis looks like the end of a new one until that has begun.
      const data = await run({ callId, force: isForced, waitSeconds: isForced ? 25 : 0 })
      if (data && 'stage' in data.analyzeRecording) setStarted((times) => times + 1)
      else if (data) retry()
    },
    [run, retry, callId],
  )
  const actions = { isStarting: isPending, start: (isForced: boolean) => void start(isForced), retry }
  if (progress.failure !== null) return { ...actions, state: { kind: 'NONE', reason: progress.failure } }
  if (isRunning) return { ...actions, state: { kind: 'RUNNING', stage: progress.stage } }
  if (found && 'utterances' in found) return { ...actions, state: { kind: 'DONE', analysis: found } }
  // The answer of before is out of date while it is asked again.
  if (analysis.fetching || !analysis.error || (!status.error && !state)) return { ...actions, state: { kind: 'LOADING' } }
  return { ...actions, state: stateWithout(analysis.error, status.error, state?.reason ?? null) }
}

/** There is no analysis: because there is no such call, because nobody asked for one, or because it failed. */
function stateWithout(analysisError: unknown, statusError: unknown, reason: string | null): AnalysisState {
  if (statusError) return { kind: 'ERROR', error: statusError }
  const known = serviceErrorOf(analysisError)
  if (known?.code === 'NO_ANSWER' || known?.code === 'UNAUTHENTICATED' || known?.code === 'FORBIDDEN')
    return { kind: 'ERROR', error: analysisError }
  return { kind: 'NONE', reason: reason ?? (known?.code === 'NOT_FOUND' ? null : (known?.message ?? null)) }
}

const nothingRuns: Progress = { stage: null, failure: null }
type Progress = { readonly stage: Stage | null; readonly failure: string | null }

/** A run that failed before the page listened is not reported. */
const lookEveryMs = 4_000

/** Follows a running analysis. `round`: null if none runs. */
function useProgress(callId: string, round: number | null, onEnd: () => void): Progress {
  const [progress, setProgress] = useState<Progress>({ stage: null, failure: null })
  useEffect(() => {
    if (round === null) return
    const leaving = new AbortController()
    const follow = async (): Promise<void> => {
      setProgress({ stage: null, failure: null })
      for await (const { recordingProgress } of service.stream(progressDocument, { callId }, { signal: leaving.signal })) {
        const { stage, detail } = recordingProgress
        setProgress({ stage, failure: stage === 'FAILED' ? (detail ?? '') : null })
      }
      if (!leaving.signal.aborted) onEnd()
    }
    follow().catch((error: unknown) => {
      if (!leaving.signal.aborted) setProgress({ stage: null, failure: error instanceof ServiceError ? error.message : '' })
    })
    const look = async (): Promise<void> => {
      const { recordingStatus } = await service.execute(statusDocument, { callId }, { signal: leaving.signal })
      if (recordingStatus.state !== 'RUNNING' && recordingStatus.state !== 'WAITING') onEnd()
    }
    // The stream says more, and reports a lost connection.
    const timer = setInterval(() => void look().catch(() => {}), lookEveryMs)
    return () => {
      clearInterval(timer)
      leaving.abort()
    }
  }, [callId, round, onEnd])
  return round === null ? nothingRuns : progress
}
