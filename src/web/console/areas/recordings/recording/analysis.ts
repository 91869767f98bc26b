import { graphql, type ResultOf } from '../../../data/graphql.ts'

const analysisFields = graphql(`
  fragment AnalysisFields on RecordingAnalysis {
    id
    callId
    language
    duration
    summary
    topics {
      topic
    }
    sentiment {
      id
      average {
        id
        sentiment
        score
      }
      timeline {
        start
        end
        sentiment
        score
      }
    }
    speakers {
      speaker
      role
      talkSeconds
      talkShare
      longestMonologueSeconds
      interruptions
      evidence
    }
    silenceSeconds
    longestSilenceSeconds
    utterances {
      id
      speaker
      role
      start
      end
      text
    }
    insights {
      id
      outcome {
        id
        code
        text
        evidence
      }
      wentWell {
        text
        evidence
      }
      toImprove {
        text
        evidence
      }
      satisfaction {
        id
        score
        reason
        evidence
      }
    }
    missing {
      part
      why
    }
    model {
      id
      speech
      language
    }
    analyzedAt
    expiresAt
  }
`)

export const analysisDocument = graphql(
  `
    query RecordingAnalysis($callId: ID!) {
      recordingAnalysis(callId: $callId) {
        ... on RecordingAnalysis {
          ...AnalysisFields
        }
        ... on RecordingUnderWay {
          id
          stage
        }
      }
    }
  `,
  [analysisFields],
)

export const statusDocument = graphql(`
  query RecordingStatus($callId: ID!) {
    recordingStatus(callId: $callId) {
      id
      state
      reason
    }
  }
`)

export const analyzeDocument = graphql(`
  mutation AnalyzeRecording($callId: ID!, $force: Boolean!, $waitSeconds: Int!) {
    analyzeRecording(input: { callId: $callId, force: $force, waitSeconds: $waitSeconds }) {
      ... on RecordingAnalysis {
        id
      }
      ... on RecordingUnderWay {
        id
        stage
      }
    }
  }
`)

export const progressDocument = graphql(`
  subscription RecordingProgress($callId: ID!) {
    recordingProgress(callId: $callId) {
      id
      stage
      detail
    }
  }
`)

export type Analysis = ResultOf<typeof analysisFields>
export type Utterance = Analysis['utterances'][number]
export type Role = Utterance['role']
export type Stage = ResultOf<typeof progressDocument>['recordingProgress']['stage']
