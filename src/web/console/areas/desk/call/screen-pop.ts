import { useEffect, useMemo, useRef } from 'react'
import { useQuery } from 'urql'
import { graphql, type ResultOf } from '../../../data/graphql.ts'
import { screenPopDocument } from '../../../phone/caller.ts'
import { type Call, callFields } from '../../../phone/calls.ts'

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

const retryMs = 5_000

/**
 * The agent's call as the service knows it, also after it ended: a stream that opens has calls in progress only. Read again when the newest call
 * of the stream is another one, or none, and when the stream is open again. `isCurrent`: nothing is being read, and the last try worked.
 */
export function useLastCall({ ucid, isOpen }: { readonly ucid: string | null; readonly isOpen: boolean }) {
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- another context is another request
  const context = useMemo(() => ({ requestPolicy: 'network-only' as const }), [ucid])
  const [{ data, error, fetching, stale }, read] = useQuery({ query: lastCallDocument, pause: !isOpen, context })
  useEffect(() => {
    if (!error) return
    const timer = setTimeout(() => read({ requestPolicy: 'network-only' }), retryMs)
    return () => clearTimeout(timer)
  }, [read, error])
  const isCurrent = isOpen && data !== undefined && !error && !fetching && !stale
  return { call: data?.currentCall?.call ?? null, isCurrent, hasFailed: error !== undefined }
}

/**
 * What is known about the caller. Read again when the call gets a lead, when it ends, and after a failure, of the platform too. `isCurrent`: it is not from the cache.
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
  const isUnread = error !== undefined || (data?.callLookup.unavailable.includes('PLATFORM') ?? false)
  useEffect(() => {
    if (!isUnread) return
    const timer = setTimeout(() => read({ requestPolicy: 'network-only' }), retryMs)
    return () => clearTimeout(timer)
  }, [read, isUnread, data])
  return { pop: data?.callLookup ?? null, isCurrent: !stale, error, read: () => read({ requestPolicy: 'network-only' }) }
}

/** What the language model says: it takes seconds, so it comes by itself. Null until then. */
export function useEnrichment(ucid: string): Enrichment | null {
  const [{ data }] = useQuery({ query: enrichmentDocument, variables: { ucid }, requestPolicy: 'cache-first' })
  return data?.callLookup.enrichment ?? null
}
