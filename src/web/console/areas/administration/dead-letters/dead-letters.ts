import { graphql, type ResultOf } from '../../../data/graphql.ts'

export const deadLettersDocument = graphql(`
  query DeadLetters($after: String) {
    deadLetters(first: 50, after: $after) {
      nodes {
        id
        topic
        eventId
        key
        leadId
        phoneNumber
        occurredAt
        receiver
        reason
        detail
        deadAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)
export type DeadLetters = ResultOf<typeof deadLettersDocument>
export type DeadLetter = DeadLetters['deadLetters']['nodes'][number]

export const replayOne = graphql(`
  mutation ReplayDeadLetter($id: ID!) {
    replayDeadLetter(id: $id) {
      replayed
      remaining
    }
  }
`)
export const replayAll = graphql(`
  mutation ReplayDeadLetters {
    replayDeadLetters {
      replayed
      remaining
    }
  }
`)
