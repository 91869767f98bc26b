import { graphql, type ResultOf } from '../../../data/graphql.ts'

export const timelineDocument = graphql(`
  query AgentTimeline($agentId: ID!, $date: String!) {
    agentTimeline(agentId: $agentId, date: $date) {
      id
      agentName
      timeZone
      states {
        state
        reason
        from
        to
      }
      calls {
        ucid
        phase
        direction
        campaignName
        startedAt
        answeredAt
        talkSeconds
        wrapUpSeconds
        disposition
        automaticDisposition
      }
    }
  }
`)
export type Timeline = ResultOf<typeof timelineDocument>['agentTimeline']
export type TimelineState = Timeline['states'][number]
export type TimelineCall = Timeline['calls'][number]

/** Who had calls in these days, and who is signed in now. */
export const dayAgentsDocument = graphql(`
  query DayAgents($from: String!, $to: String!) {
    history(from: $from, to: $to, groupBy: AGENT) {
      id
      rows {
        agentId
        agentName
      }
    }
    supervision {
      id
      agents {
        id
        agentName
      }
    }
  }
`)
