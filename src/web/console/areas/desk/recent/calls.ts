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
        durationSeconds
        phoneNumber
        campaignName
        disposition
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
