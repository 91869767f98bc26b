import { graphql, type ResultOf } from '../../../data/graphql.ts'
import type { LoadPage, Page } from '../../../data/pages.ts'
import { service } from '../../../data/service-client.ts'
import { dayText } from '../../../i18n/day-text.ts'
import { type CallDetails, readCallDetails } from '../call-details.ts'
import { type ListSearch, rangeOf } from './list-search.ts'

const callsDocument = graphql(`
  query RecordedCallList($from: String!, $to: String!, $agentId: ID, $after: String) {
    historyCalls(from: $from, to: $to, agentId: $agentId, first: 60, after: $after) {
      nodes {
        id
        startedAt
        durationSeconds
        direction
        phoneNumber
        disposition
        agentName
        hasRecording
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)
const statusesDocument = graphql(`
  query StatusesOfRecordings($callIds: [ID!]!) {
    recordingStatuses(callIds: $callIds) {
      id
      state
      reason
    }
  }
`)

type Status = NonNullable<ResultOf<typeof statusesDocument>['recordingStatuses'][number]>
/** A call with a recording. `status` is null if its analysis was never asked for. */
export type RecordedCall = ResultOf<typeof callsDocument>['historyCalls']['nodes'][number] & {
  readonly status: Status | null
  readonly details: CallDetails | null
}

/** Without dates: the last month. */
export function loadRecordedCalls(search: ListSearch): LoadPage<Page<RecordedCall>> {
  return async (after, signal): Promise<Page<RecordedCall>> => {
    const range = rangeOf(search)
    const [from, to] = [range.from ?? daysFrom(new Date(), -29), range.to ?? new Date()]
    // The clinic's days may begin at another time than the person's.
    const variables = {
      from: dayText(daysFrom(from, -1)),
      to: dayText(daysFrom(to, 1)),
      agentId: search.agent ?? null,
      after,
    }
    const { historyCalls } = await service.execute(callsDocument, variables, { signal })
    const calls = historyCalls.nodes.filter(({ hasRecording, startedAt }) => {
      const at = Date.parse(startedAt ?? '')
      return hasRecording && !(at < from.getTime()) && !(at > to.getTime())
    })
    const callIds = calls.map(({ id }) => id)
    const [statuses, details] = await Promise.all([readStatuses(callIds, signal), readCallDetails(callIds, signal)])
    const nodes = calls.map((call) => ({
      ...call,
      status: statuses.find((status) => status?.id === call.id) ?? null,
      details: details.get(call.id) ?? null,
    }))
    return { nodes, pageInfo: historyCalls.pageInfo }
  }
}

/** Midnight of the day so many days later. */
function daysFrom(date: Date, days: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days)
}

async function readStatuses(callIds: readonly string[], signal: AbortSignal): Promise<readonly (Status | null)[]> {
  if (callIds.length === 0) return []
  return (await service.execute(statusesDocument, { callIds: [...callIds] }, { signal })).recordingStatuses
}
