import { graphql, type ResultOf } from '../../../data/graphql.ts'

const scorecardFields = graphql(`
  fragment ScorecardFields on Scorecard {
    id
    callId
    agentId
    at
    version
    modelScore
    score
    criteria {
      key
      name
      question
      weight
      verdict
      model {
        verdict
        reason
        evidence
      }
      correction {
        verdict
        reason
        at
        by {
          memberId
          name
        }
      }
    }
  }
`)
export type Scorecard = ResultOf<typeof scorecardFields>
export type Criterion = Scorecard['criteria'][number]

export const scorecardDocument = graphql(
  `
    query ScorecardOfCall($callId: ID!) {
      scorecard(callId: $callId) {
        ...ScorecardFields
      }
    }
  `,
  [scorecardFields],
)

export const correctDocument = graphql(
  `
    mutation CorrectScorecard($input: CorrectScorecardInput!) {
      correctScorecard(input: $input) {
        ...ScorecardFields
      }
    }
  `,
  [scorecardFields],
)

export const historyDocument = graphql(`
  query CorrectionsOfCall($callId: ID!) {
    auditLog(targetId: $callId, action: "scorecard", first: 50) {
      nodes {
        id
        at
        action
        actor {
          id
          name
        }
        details {
          name
          value
        }
      }
    }
  }
`)

export const scorecardsDocument = graphql(
  `
    query Scorecards($from: DateTime, $to: DateTime, $agentId: ID, $correctedOnly: Boolean!, $after: String) {
      scorecards(from: $from, to: $to, agentId: $agentId, correctedOnly: $correctedOnly, first: 20, after: $after) {
        nodes {
          ...ScorecardFields
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `,
  [scorecardFields],
)

export const agreementDocument = graphql(`
  query ScorecardAgreement($from: DateTime, $to: DateTime, $agentId: ID) {
    scorecardAgreement(from: $from, to: $to, agentId: $agentId) {
      id
      scorecards
      complete
      total {
        reviewed
        agreed
        agreement
        overlooked
        falseAlarms
        withoutModel
      }
      criteria {
        key
        name
        counts {
          reviewed
          agreed
          agreement
          overlooked
          falseAlarms
          withoutModel
        }
      }
    }
  }
`)
export type Agreement = ResultOf<typeof agreementDocument>['scorecardAgreement']

/** Which calls: the list, the figures and the file have the same. */
export type ScorecardRange = { readonly agentId: string | null; readonly from: string | null; readonly to: string | null }
