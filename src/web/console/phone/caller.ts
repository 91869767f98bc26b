import { useEffect } from 'react'
import { useQuery } from 'urql'
import { graphql, type ResultOf } from '../data/graphql.ts'
import { type Call, callFields } from './calls.ts'

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

export const screenPopDocument = graphql(
  `
    query ScreenPop($ucid: ID!) {
      callLookup(ucid: $ucid) {
        id
        phoneNumber
        dialledNumber
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
          disposition
          callBackAt
          savedAt
        }
        unavailable
      }
    }
  `,
  [callFields, leadFields],
)
export type ScreenPop = ResultOf<typeof screenPopDocument>['callLookup']

/**
 * The name of the one who calls or is called; null until it is known, and if nobody or more than one has the number. It is the desk's question, asked
 * once for both, and again if the call gets its lead after the answer.
 */
export function useCallerName(call: Pick<Call, 'ucid' | 'leadId'> | null): string | null {
  const { ucid = '', leadId = null } = call ?? {}
  const [{ data }, read] = useQuery({ query: screenPopDocument, variables: { ucid }, pause: call === null, requestPolicy: 'cache-first' })
  const pop = call !== null && data?.callLookup.id === ucid ? data.callLookup : null
  const isOlder = pop !== null && leadId !== null && pop.call?.leadId !== leadId
  useEffect(() => {
    if (isOlder) read({ requestPolicy: 'network-only' })
  }, [isOlder, leadId, read])
  return pop?.lead?.name ?? null
}
