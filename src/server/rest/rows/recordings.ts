import { mutation, query } from '../row.ts'

const underWay = {
  status: 202,
  summary: 'The recording is being worked on: look again at `lookAt`',
  when: (answer: object) => 'lookAt' in answer,
}
const lookAgain = (answer: object): Record<string, string> =>
  'lookAt' in answer && 'retryAfterSeconds' in answer
    ? { location: String(answer.lookAt), 'retry-after': String(answer.retryAfterSeconds) }
    : {}

export const recordingRows = [
  mutation('analyzeRecording', {
    method: 'POST',
    path: '/api/recordings/analyze',
    arguments: { input: 'body' },
    summary: "Analyse a call's recording, or take what is kept",
    refusals: ['NOT_FOUND', 'NOT_YOURS', 'NOT_CONFIGURED', 'PROVIDER_REFUSED', 'PROVIDER_UNAVAILABLE', 'STORE_UNAVAILABLE'],
    otherwise: underWay,
    headers: lookAgain,
  }),
  query('recordingAnalysis', {
    method: 'GET',
    path: '/api/recordings/{callId}/analysis',
    arguments: { callId: 'path.callId' },
    summary: "What is known of a call's recording, or how far it is",
    refusals: ['NOT_FOUND', 'NOT_YOURS', 'STORE_UNAVAILABLE'],
    otherwise: underWay,
    headers: lookAgain,
  }),
]
