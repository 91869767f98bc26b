import { graphql, type ResultOf } from '../../../data/graphql.ts'

export const recentCallsDocument = graphql(`
  query RecentCalls($from: String!, $to: String!, $direction: CallDirection, $disposition: String, $after: String) {
    historyCalls(from: $from, to: $to, direction: $direction, disposition: $disposition, first: 50, after: $after) {
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
        campaignName
        disposition
        automaticDisposition
        notes
        leadId
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)
export type RecentCalls = ResultOf<typeof recentCallsDocument>
export type RecentCall = RecentCalls['historyCalls']['nodes'][number]
