import { graphql, type ResultOf } from '../../../data/graphql.ts'
import { defineLive } from '../../../data/live.ts'
import { unchanged } from '../../../data/unchanged.ts'
import { agentRowsOf, type Row } from '../agent-rows.ts'

/** Only what is shown: with 200 agents each field of a row is some kilobytes of every update. */
const supervisionUpdates = graphql(`
  subscription Wallboard {
    supervisionUpdates {
      agents {
        id
        agentName
        signedInAt
        state
        reason
        since
      }
      callsNow {
        ringing
        onCall
        waiting
        longestWaitSince
        calls {
          id
          phase
          direction
          phoneNumber
          dialledNumber
          campaignName
          agentId
          agentName
          leadId
          since
        }
      }
      today {
        complete
        serviceLevelSeconds
        total {
          calls
          answered
          answeredInbound
          answeredInTime
          serviceLevel
          missed
          averageHandlingSeconds
          averageTalkSeconds
        }
        byAgent {
          agentId
          counts {
            answered
            averageHandlingSeconds
          }
        }
        byHour {
          hour
          counts {
            calls
            answered
            missed
          }
        }
      }
      missedWaiting {
        count
        oldestAt
        calls {
          id
          phoneNumber
          dialledNumber
          campaignName
          leadId
          at
          worklistEntryId
        }
      }
    }
  }
`)

export type Overview = ResultOf<typeof supervisionUpdates>['supervisionUpdates']
export type CallNow = Overview['callsNow']['calls'][number]
export type MissedCall = Overview['missedWaiting']['calls'][number]
export type AgentRow = Row<Overview['agents'][number], CallNow>

export type Wallboard = { readonly overview: Overview; readonly agents: readonly AgentRow[] }

/** What happens now, at most a second old. Null until the first update. What has not changed is the same object, and is not drawn again. */
export const wallboardLive = defineLive(supervisionUpdates, {
  initial: noWallboard(),
  reduce(before, { supervisionUpdates: overview }) {
    const calls = unchanged(overview.missedWaiting.calls, before?.overview.missedWaiting.calls ?? [])
    const missedWaiting = { ...overview.missedWaiting, calls: [...calls] }
    return { overview: { ...overview, missedWaiting }, agents: agentRowsOf(overview, before?.agents ?? []) }
  },
})

function noWallboard(): Wallboard | null {
  return null
}
