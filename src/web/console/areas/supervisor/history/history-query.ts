import { graphql, type ResultOf } from '../../../data/graphql.ts'

const rowFields = graphql(`
  fragment HistoryFigures on HistoryRow {
    date
    hour
    agentId
    agentName
    campaignName
    calls
    offered
    answered
    answeredInbound
    answeredInTime
    missed
    serviceLevel
    answerRate
    averageWaitSeconds
    averageTalkSeconds
    averageHandlingSeconds
    returned
    averageReturnSeconds
  }
`)
export type HistoryRow = ResultOf<typeof rowFields>

export const figuresDocument = graphql(
  `
    query HistoryFigures(
      $from: String!
      $to: String!
      $beforeFrom: String!
      $beforeTo: String!
      $groupBy: HistoryGrouping!
      $agentId: ID
      $campaignName: String
    ) {
      total: history(from: $from, to: $to, groupBy: TOTAL, agentId: $agentId, campaignName: $campaignName) {
        id
        rows {
          ...HistoryFigures
          withoutOutcome
          dispositions {
            disposition
            calls
          }
        }
      }
      before: history(from: $beforeFrom, to: $beforeTo, groupBy: TOTAL, agentId: $agentId, campaignName: $campaignName) {
        id
        rows {
          ...HistoryFigures
        }
      }
      groups: history(from: $from, to: $to, groupBy: $groupBy, agentId: $agentId, campaignName: $campaignName) {
        id
        timeZone
        serviceLevelSeconds
        incompleteDays
        rows {
          ...HistoryFigures
        }
      }
    }
  `,
  [rowFields],
)
export type HistoryFigures = ResultOf<typeof figuresDocument>

/** The agents and campaigns that had calls in a range. */
export const choicesDocument = graphql(`
  query HistoryChoices($from: String!, $to: String!) {
    agents: history(from: $from, to: $to, groupBy: AGENT) {
      id
      rows {
        agentId
        agentName
      }
    }
    campaigns: history(from: $from, to: $to, groupBy: CAMPAIGN) {
      id
      rows {
        campaignName
      }
    }
  }
`)

export const callsDocument = graphql(`
  query HistoryCalls(
    $from: String!
    $to: String!
    $after: String
    $agentId: ID
    $campaignName: String
    $direction: CallDirection
    $status: CallPhase
    $disposition: String
    $phoneNumber: String
  ) {
    historyCalls(
      from: $from
      to: $to
      first: 50
      after: $after
      agentId: $agentId
      campaignName: $campaignName
      direction: $direction
      status: $status
      disposition: $disposition
      phoneNumber: $phoneNumber
    ) {
      nodes {
        id
        ucid
        direction
        status
        startedAt
        answeredAt
        endedAt
        durationSeconds
        phoneNumber
        leadId
        campaignName
        disposition
        automaticDisposition
        hasRecording
        agentName
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)
export type HistoryCall = ResultOf<typeof callsDocument>['historyCalls']['nodes'][number]
