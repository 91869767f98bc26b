import { mutation, query } from '../row.ts'

const inProgress = {
  status: 202,
  summary: 'The analysis is in progress. Send a GET request to `lookAt` later',
  type: 'RecordingUnderWay',
  when: (answer: object) => 'lookAt' in answer,
}
const retryHeaders = (answer: object): Record<string, string> =>
  'lookAt' in answer && 'retryAfterSeconds' in answer
    ? { location: String(answer.lookAt), 'retry-after': String(answer.retryAfterSeconds) }
    : {}

export const recordingRows = [
  mutation('analyzeRecording', {
    method: 'POST',
    path: '/api/recordings/analyze',
    ignoresUnknownFields: true,
    waitArgument: 'input.waitSeconds',
    arguments: { input: 'body' },
    summary: "Analyse a call's recording, or return the stored analysis",
    refusals: ['NOT_FOUND', 'NOT_YOURS', 'NOT_CONFIGURED', 'PROVIDER_REFUSED', 'PROVIDER_UNAVAILABLE', 'STORE_UNAVAILABLE'],
    otherwise: inProgress,
    headers: retryHeaders,
  }),
  query('recordingAnalysis', {
    method: 'GET',
    path: '/api/recordings/{callId}/analysis',
    arguments: { callId: 'path.callId' },
    summary: "The analysis of a call's recording, or its progress",
    refusals: ['NOT_FOUND', 'NOT_YOURS', 'STORE_UNAVAILABLE'],
    otherwise: inProgress,
    headers: retryHeaders,
  }),
  query('recordingStatus', {
    method: 'GET',
    path: '/api/recordings/{callId}/status',
    arguments: { callId: 'path.callId' },
    summary: "How far the analysis of a call's recording is, and why",
    refusals: ['NOT_FOUND', 'NOT_YOURS', 'STORE_UNAVAILABLE'],
  }),
  query('searchTranscripts', {
    method: 'GET',
    path: '/api/recordings/search',
    arguments: {
      text: 'query.text',
      agentId: 'query.agentId',
      outcome: 'query.outcome',
      disposition: 'query.disposition',
      sentiment: 'query.sentiment',
      verdict: 'query.verdict',
      criterion: 'query.criterion',
      from: 'query.from',
      to: 'query.to',
      first: 'query.first',
      after: 'query.after',
    },
    summary: 'Search words and phrases in stored transcripts, newest call first',
    refusals: ['STORE_UNAVAILABLE', 'NOT_CONFIGURED'],
  }),
]
