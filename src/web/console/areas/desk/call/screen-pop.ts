import { useEffect, useRef } from 'react'
import { useQuery } from 'urql'
import { graphql, type ResultOf } from '../../../data/graphql.ts'
import { type Call, callFields } from '../../../phone/calls.ts'

const leadFields = graphql(`
  fragment LeadFields on LeadSummary {
    id
    name
    status
    source
    phoneNumber
    email
    matchedBy
    insight {
      id
      summary
      suggestedAction
      reason
      callBackAt
      writtenAt
    }
  }
`)
export type Lead = ResultOf<typeof leadFields>

const screenPopDocument = graphql(
  `
    query ScreenPop($ucid: ID!) {
      callLookup(ucid: $ucid) {
        id
        phoneNumber
        call {
          ...CallFields
        }
        match
        lead {
          ...LeadFields
        }
        candidates {
          ...LeadFields
        }
        lastCalls {
          id
          ucid
          direction
          status
          startedAt
          durationSeconds
          disposition
          notes
          hasRecording
        }
        openItems {
          id
          kind
          title
          dueAt
        }
        nextVisit {
          id
          slotId
          title
          doctorId
          startsAt
          localStartsAt
        }
        draftNotes {
          id
          notes
          savedAt
        }
        unavailable
      }
    }
  `,
  [callFields, leadFields],
)
export type ScreenPop = ResultOf<typeof screenPopDocument>['callLookup']

const enrichmentDocument = graphql(`
  query Enrichment($ucid: ID!) {
    callLookup(ucid: $ucid) {
      id
      enrichment {
        id
        available
        reason
        whoIsThis
        likelyReason
        suggestedOpening
      }
    }
  }
`)
export type Enrichment = ResultOf<typeof enrichmentDocument>['callLookup']['enrichment']

const lastCallDocument = graphql(
  `
    query LastCall {
      currentCall {
        id
        call {
          ...CallFields
        }
      }
    }
  `,
  [callFields],
)

/** The agent's call as the service knows it: for a page that was reloaded after the call ended. */
export function useLastCall(): { readonly call: Call | null; readonly isKnown: boolean } {
  const [{ data, error }] = useQuery({ query: lastCallDocument, requestPolicy: 'network-only' })
  return { call: data?.currentCall?.call ?? null, isKnown: data !== undefined || error !== undefined }
}

const retryMs = 5_000

/**
 * What is known about the caller. Read again when the call gets a lead, when it ends, and after a failure. `isCurrent`: it is not from the cache.
 */
export function useScreenPop({ ucid, leadId, phase }: Pick<Call, 'ucid' | 'leadId' | 'phase'>) {
  const [{ data, stale, error }, read] = useQuery({ query: screenPopDocument, variables: { ucid }, requestPolicy: 'cache-and-network' })
  const isOver = phase === 'COMPLETED'
  const known = useRef({ leadId, isOver })
  useEffect(() => {
    if (known.current.leadId === leadId && known.current.isOver === isOver) return
    known.current = { leadId, isOver }
    read({ requestPolicy: 'network-only' })
  }, [read, leadId, isOver])
  useEffect(() => {
    if (!error) return
    const timer = setTimeout(() => read({ requestPolicy: 'network-only' }), retryMs)
    return () => clearTimeout(timer)
  }, [read, error])
  return { pop: data?.callLookup ?? null, isCurrent: !stale, error, read: () => read({ requestPolicy: 'network-only' }) }
}

/** What the language model says: it takes seconds, so it comes by itself. Null until then. */
export function useEnrichment(ucid: string): Enrichment | null {
  const [{ data }] = useQuery({ query: enrichmentDocument, variables: { ucid }, requestPolicy: 'cache-first' })
  return data?.callLookup.enrichment ?? null
}
