import { graphql, type ResultOf } from '../../../data/graphql.ts'
import { service } from '../../../data/service-client.ts'
import { type CallDetails, readCallDetails } from '../call-details.ts'
import type { LoadedPage, LoadPage } from '../pages.ts'
import { dayText, type ListSearch, rangeOf } from './list-search.ts'

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
export function loadRecordedCalls(search: ListSearch): LoadPage<RecordedCall> {
  return async (after, signal): Promise<LoadedPage<RecordedCall>> => {
    const { from, to } = rangeOf(search)
    const now = new Date()
    const variables = {
      from: dayText(from ?? new Date(now.getFullYear(), now.getMonth(), now.getDate() - 29)),
      to: dayText(to ?? now),
      agentId: search.agent ?? null,
      after,
    }
    const { historyCalls } = await service.execute(callsDocument, variables, { signal })
    const calls = historyCalls.nodes.filter(({ hasRecording }) => hasRecording)
    const callIds = calls.map(({ id }) => id)
    const [statuses, details] = await Promise.all([readStatuses(callIds, signal), readCallDetails(callIds, signal)])
    const rows = calls.map((call) => ({
      ...call,
      status: statuses.find((status) => status?.id === call.id) ?? null,
      details: details.get(call.id) ?? null,
    }))
    return { rows, next: historyCalls.pageInfo.hasNextPage ? historyCalls.pageInfo.endCursor : null }
  }
}

async function readStatuses(callIds: readonly string[], signal: AbortSignal): Promise<readonly (Status | null)[]> {
  if (callIds.length === 0) return []
  return (await service.execute(statusesDocument, { callIds: [...callIds] }, { signal })).recordingStatuses
}
