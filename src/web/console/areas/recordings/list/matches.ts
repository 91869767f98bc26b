import { graphql, type ResultOf } from '../../../data/graphql.ts'
import type { LoadPage, Page } from '../../../data/pages.ts'
import { service } from '../../../data/service-client.ts'
import { type CallDetails, readCallDetails } from '../call-details.ts'
import { type ListSearch, rangeOf } from './list-search.ts'

const searchDocument = graphql(`
  query SearchRecordings(
    $text: String
    $agentId: ID
    $outcome: RecordingOutcomeCode
    $sentiment: RecordingFeelingName
    $verdict: RecordingVerdict
    $criterion: ID
    $from: DateTime
    $to: DateTime
    $after: String
  ) {
    searchTranscripts(
      text: $text
      agentId: $agentId
      outcome: $outcome
      sentiment: $sentiment
      verdict: $verdict
      criterion: $criterion
      from: $from
      to: $to
      first: 20
      after: $after
    ) {
      nodes {
        id
        callId
        at
        outcome
        sentiment
        disposition
        matches
        snippets {
          id
          role
          speaker
          start
          text
          highlights {
            from
            to
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`)
const analysesDocument = graphql(`
  query AnalysesOfRecordings($callIds: [ID!]!) {
    recordingAnalyses(callIds: $callIds) {
      id
      summary
      duration
      insights {
        id
        compliance {
          key
          verdict
        }
      }
    }
  }
`)

type Found = ResultOf<typeof searchDocument>['searchTranscripts']['nodes'][number]
export type Snippet = Found['snippets'][number]
type Analysis = NonNullable<ResultOf<typeof analysesDocument>['recordingAnalyses'][number]>
/** A call that was found, with what else a row shows. */
export type Match = Found & { readonly analysis: Analysis | null; readonly details: CallDetails | null }

export function loadMatches(search: ListSearch): LoadPage<Page<Match>> {
  return async (after, signal): Promise<Page<Match>> => {
    const range = rangeOf(search)
    const variables = {
      text: search.q ?? null,
      agentId: search.agent ?? null,
      outcome: search.outcome ?? null,
      sentiment: search.feeling ?? null,
      verdict: search.verdict ?? null,
      criterion: search.criterion ?? null,
      from: range.from?.toISOString() ?? null,
      to: range.to?.toISOString() ?? null,
      after,
    }
    const { searchTranscripts: found } = await service.execute(searchDocument, variables, { signal })
    const callIds = found.nodes.map(({ callId }) => callId)
    const [analyses, details] = await Promise.all([readAnalyses(callIds, signal), readCallDetails(callIds, signal)])
    const nodes = found.nodes.map((node) => ({
      ...node,
      analysis: analyses.find((analysis) => analysis?.id === node.callId) ?? null,
      details: details.get(node.callId) ?? null,
    }))
    return { nodes, pageInfo: found.pageInfo }
  }
}

async function readAnalyses(callIds: readonly string[], signal: AbortSignal): Promise<readonly (Analysis | null)[]> {
  if (callIds.length === 0) return []
  return (await service.execute(analysesDocument, { callIds: [...callIds] }, { signal })).recordingAnalyses
}
